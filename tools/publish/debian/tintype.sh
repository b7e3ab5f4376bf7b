#!/bin/sh
# tintype COMMAND [options]: operates the service of this machine. The data folder is /var/lib/tintype.
set -eu

case "${1-}" in
  backup) program=@operate/backup@ ;;
  restore) program=@operate/restore@ ;;
  moderate) program=@operate/moderate@ ;;
  reconcile) program=@operate/reconcile@ ;;
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

shift
hasTarget=
for argument; do
  case "$argument" in --data | --data=* | --url | --url=*) hasTarget=1 ;; esac
done
[ -n "$hasTarget" ] || set -- "$@" --data /var/lib/tintype
set -- @NODE@ "$program" "$@"
# What it writes must belong to the service.
[ "$(id -u)" != 0 ] || set -- setpriv --reuid tintype --regid tintype --init-groups env HOME=/var/lib/tintype "$@"
exec "$@"
