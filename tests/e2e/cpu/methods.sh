#!/bin/bash
# A busy loop gives each method the CPU time that it used.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o "$P" -- "$RUBY" "$APP") || fail "status $?"
lines_ok "$P"
measured "$P" "$out"
