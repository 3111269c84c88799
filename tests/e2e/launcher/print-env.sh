#!/bin/bash
# --print-env prints export lines that make a shell profile, and runs nothing.
# run: once
. "$(dirname "$0")/../lib.sh"
expect 0 rp -m wall -f 77 -o "$OUT/a b'c.collapsed" --print-env touch ran
[ ! -e ran ] || fail "the command was run"
grep -vqE '^export [A-Z_]+=' out && fail "not an export line: $(grep -vE '^export' out | head -n 1)"
says out 'RPERF_MODE=.*wall'; says out 'RPERF_FREQUENCY=.*77'; says out 'LD_PRELOAD=.*librperf.so'
( . ./out && exec "$RUBY" -e 'sleep 0.1' ) || fail "status $?"
have "$OUT/a b'c.collapsed"
