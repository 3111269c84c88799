#!/bin/bash
# SystemStackError is still raised and rescued 20 times; the deep method and the leaf get 60-140%
# of 0.4 s (frames may be cut, the leaf side must stay); output valid. (ruby-prof/ruby-prof#130,
# tmm1/stackprof#59, DataDog/dd-trace-php#1681: Very deep stacks overflow fixed frame buffers or
# the profiler's own recursion; a sample taken at the edge of the stack turns SystemStackError
# into a crash.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m cpu -f 2000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
[ $rc = 0 ] && [ "$o" = "rescued=20" ] || fail "$o, status $rc: $(grep -m1 -aF '[BUG]' "$OUT/err" | head -c 100)"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_deep)" 240 560 zz_deep; between "$(incl "$P" 'zz_deep.*burn')" 240 560 "leaf burn under zz_deep"
rp record -m cpu -f 500 -o "$OUT/p.pb.gz" -- "$RUBY" "$APP" >/dev/null || fail "pb.gz: status $?"
chk "$OUT/p.pb.gz" zz_deep
