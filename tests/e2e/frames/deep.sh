#!/bin/bash
# 10,000 frames: the leaf side stays, with its time.
# run: jit
. "$(dirname "$0")/../lib.sh"
used=$(RUBY_THREAD_VM_STACK_SIZE=8000000 rp -m cpu -f 500 -o "$P" -- "$RUBY" -r "$E2E/measure" -e '
def zz_deep(n) = n.zero? ? burn(0.4) : zz_deep(n - 1)
t = Thread.new { started = cpu_ms; zz_deep(10_000); cpu_ms - started }
puts t.value.round') || fail "status $?"
near "$(incl "$P" 'zz_deep.*burn')" "$used" 5 "leaf burn below zz_deep"
