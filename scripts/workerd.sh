#!/bin/sh
# workerd, made to end with the process that started it: killed outright, that could not tell it to, and workerd would go on
# and hold the port. Where setpriv is missing (it is Linux's) workerd runs as it is.
if setpriv --pdeathsig KILL true 2>/dev/null; then
  exec setpriv --pdeathsig KILL "$WORKERD" "$@"
fi
exec "$WORKERD" "$@"
