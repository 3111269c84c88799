#!/bin/bash
# Threads of M:N scheduling, whose events lie: times are right, nothing hangs.
# needs: 3.3
# run: jit
. "$(dirname "$0")/../lib.sh"
export RUBY_MN_THREADS=1
out=$(rp -m cpu -o p.pb.gz "$RUBY" "$APP") || fail "cpu: status $?"
near "$(cum_ms p.pb.gz cpu 'zz_work$')" "$out" 5 "work" 20
out=$(rp -m wall -f 2000 -o p.pb.gz "$RUBY" "$APP") || fail "wall: status $?"
near "$(cum_ms p.pb.gz cpu 'zz_work$')" "$out" 10 "work in wall mode" 20
