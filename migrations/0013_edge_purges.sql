-- Cache tags to purge from Cloudflare's caches, each in one zone: on shard 0, for all shards. A tag is purged twice, at once and when
-- nothing can be cached any more that was read before the delete. What is not purged then is dropped: its entries have expired.
CREATE TABLE edge_purges (
  zone TEXT NOT NULL,
  tag TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (zone, tag)
) STRICT;

CREATE INDEX edge_purges_due ON edge_purges (due_at);
CREATE INDEX edge_purges_deleted ON edge_purges (deleted_at);
CREATE INDEX edge_purges_failing ON edge_purges (attempts) WHERE attempts > 0;

-- The calls that were made of the API within one minute: one row.
CREATE TABLE edge_purge_calls (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  minute INTEGER NOT NULL,
  calls INTEGER NOT NULL
) STRICT;
