#!/bin/sh
# tintype COMMAND [options]: operates the service of this machine. The data folder is /var/lib/tintype.
set -eu

case "${1-}" in
  backup | restore | moderate | reconcile)
    program=operate/$1
    shift
    ;;
  *)
    echo 'Usage: tintype COMMAND [options]
  backup DIR     copies the data, also while the service runs
  restore DIR    makes a data folder of a backup, while the service is stopped
  moderate       reports, hides, removes and blocks
  reconcile      compares files with records
Each lists its options with --help. Settings of the service are in /etc/default/tintype.'
    case "${1-}" in '' | help | --help) exit 0 ;; *) exit 2 ;; esac
    ;;
esac

hasPlace=
for argument; do
  case "$argument" in --data | --data=* | --url | --url=*) hasPlace=1 ;; esac
done
[ -n "$hasPlace" ] || set -- "$@" --data /var/lib/tintype
set -- @NODE@ "@LIBRARY@/tools/$program@EXTENSION@" "$@"
# What it writes must belong to the service.
[ "$(id -u)" != 0 ] || set -- setpriv --reuid tintype --regid tintype --init-groups env HOME=/var/lib/tintype "$@"
exec "$@"
