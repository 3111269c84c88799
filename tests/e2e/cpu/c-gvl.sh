#!/bin/bash
# Work in C counts with and without the GVL; sleeping in C does not.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o "$P" -- "$RUBY" "$APP" "$PROBE/probe") || fail "status $?"
measured "$P" "$out"
between "$(incl "$P" 'zz_sleep_')" 0 20 "asleep in C"
