#!/bin/bash
# raise, retry, throw and ensure leave the times where they belong.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o "$P" -- "$RUBY" "$APP") || fail "status $?"
measured "$P" "$out"
