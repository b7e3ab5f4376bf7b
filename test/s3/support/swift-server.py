"""One node of OpenStack Swift with its S3 API, in one process, for tests.

Serves Debian's swift-proxy, swift-account, swift-container and swift-object packages on loopback ports, with all data in one folder.
Arguments: FOLDER PORT OPTIONS, where PORT 0 takes a free one and OPTIONS is JSON:
  users     {"<account>:<name>": {"key": "...", "isAdmin": true}}: the access key id is "<account>:<name>", the secret is the key
  buckets   {"<bucket>": {"account": "...", "readers": ["<account>:<name>"], "quotaBytes": 1000}}: made where they are missing
  skewSeconds   requests signed this much earlier or later are refused
Prints "PORT <n>" once it serves. Ends when its standard input does.
"""

import json
import logging
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402

folder, port, options = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])


def write(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = only\ndefault = yes\n")
utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.swob import Request  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

# The sockets first: the rings name the ports.
sockets = {kind: eventlet.listen(("127.0.0.1", 0)) for kind in ("account", "container", "object")}
sockets["proxy"] = eventlet.listen(("127.0.0.1", port))
device = os.path.join(folder, "device")
os.makedirs(device, exist_ok=True)

for kind in ("account", "container", "object"):
    builder = RingBuilder(2, 1, 1)
    at = {"ip": "127.0.0.1", "port": sockets[kind].getsockname()[1]}
    backend = {"replication_" + name: value for name, value in at.items()}
    builder.add_dev({**at, **backend, "region": 1, "zone": 1, "device": "device", "weight": 1.0, "meta": ""})
    builder.rebalance(seed="test")
    builder.get_ring().save(os.path.join(folder, kind + ".ring.gz"))
    write(
        kind + ".conf",
        f"""[DEFAULT]
devices = {folder}
swift_dir = {folder}
mount_check = false
log_level = ERROR
fallocate_reserve = 0
disable_fallocate = true
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
""",
    )

users = "\n".join(
    f"user_{name.replace(':', '_')} = {user['key']}{' .admin' if user['isAdmin'] else ''}"
    for name, user in options["users"].items()
)
write(
    "proxy.conf",
    f"""[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth copy container-quotas slo dlo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
multi_delete_concurrency = 20
allowable_clock_skew = {options.get("skewSeconds", 900)}
[filter:tempauth]
use = egg:swift#tempauth
{users}
[filter:copy]
use = egg:swift#copy
[filter:container-quotas]
use = egg:swift#container_quotas
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
""",
)

logging.disable(logging.CRITICAL)
apps = {}
for kind, socket in sockets.items():
    apps[kind] = loadapp(os.path.join(folder, kind + ".conf"))
    # Header names as they are written: S3's is "ETag".
    eventlet.spawn(
        wsgi.server, socket, apps[kind], utils.NullLogger(), protocol=SwiftHttpProtocol, capitalize_response_headers=False
    )

for bucket, made in options["buckets"].items():
    headers = {}
    if "readers" in made:
        headers["X-Container-Read"] = ",".join(made["readers"])
    if "quotaBytes" in made:
        headers["X-Container-Meta-Quota-Bytes"] = str(made["quotaBytes"])
    request = Request.blank(f"/v1/AUTH_{made['account']}/{bucket}", environ={"REQUEST_METHOD": "PUT"}, headers=headers)
    request.environ["swift.authorize_override"] = request.environ["swift_owner"] = True
    request.environ["swift.authorize"] = lambda _: None
    response = request.get_response(apps["proxy"])
    if not response.is_success:
        sys.exit(f"bucket {bucket}: {response.status} {response.body}")

print("PORT", sockets["proxy"].getsockname()[1], flush=True)
eventlet.tpool.execute(sys.stdin.read)
os._exit(0)
