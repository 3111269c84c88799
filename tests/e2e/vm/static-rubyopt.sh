#!/bin/bash
# A static Ruby is profiled by RUBYOPT, which the program and its children do not see.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(RUBYOPT=-W1 rp -o "$P" "$RUBY" -r "$E2E/burn" -e 'def zz_app = burn(0.2)
zz_app
print ENV["RUBYOPT"], " ", `printf %s "$RUBYOPT"`, " ", $VERBOSE.inspect') || fail "status $?"
is "$out" "-W1 -W1 false" "RUBYOPT here, in a child, and its effect"
near "$(incl "$P" zz_app)" 200 5 zz_app 6
