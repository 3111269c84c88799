#!/bin/bash
# The whole is the CPU time of the process: invariant 1, cpu mode.
# run: jit alone
. "$(dirname "$0")/../lib.sh"
for f in 100 1000; do
    used=$(rp -f $f -o p.pb.gz -- "$RUBY" "$APP" 2>err) || fail "status $?: $(cat err)"
    near "$(all_ms p.pb.gz cpu)" "$used" 2 "total at $f Hz" 15
done
