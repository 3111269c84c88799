#!/bin/bash
# Fibers under a fiber scheduler keep their times apart.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o "$P" -- "$RUBY" "$APP") || fail "status $?"
measured "$P" "$out" 5
