#!/bin/sh
# workerd, made to end with the process that started it: killed outright, that could not tell it to, and workerd would go on
# and hold the port. Where setpriv is missing (it is Linux's) workerd runs without that. Where perl is missing, connections whose
# readers take nothing stay open.
listener="$(dirname "$0")/listener.pl"
if [ -n "$TINTYPE_LISTENER" ] && perl -c "$listener" 2>/dev/null; then
  set -- perl "$listener" "$WORKERD" "$@"
else
  set -- "$WORKERD" "$@"
fi
if setpriv --pdeathsig KILL true 2>/dev/null; then
  exec setpriv --pdeathsig KILL "$@"
fi
exec "$@"
