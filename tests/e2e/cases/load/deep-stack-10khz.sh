#!/bin/bash
# At 10 kHz and 900 frames the program takes at most 4 times as long as without the profiler plus
# 1.5 s, and its method gets 50-140% of the time that the app measured itself (cpu mode: its
# thread's CPU; wall mode: wall time). (tmm1/stackprof#123, tmm1/stackprof#124, jvm-profiling-
# tools/honest-profiler#104: When taking one sample lasts longer than the interval, samples pile
# up and the program makes no progress at 100% CPU.)
# run: jit alone
. "$(dirname "$0")/../../lib.sh"
set -- $(plain "$RUBY" "$APP"); b=$1
for m in cpu wall; do
  o=$(rp record -m $m -f 10000 -o "$P" -- "$RUBY" "$APP"); rc=$?
  [ $rc = 0 ] || fail "$m: exit status $rc (124: no progress)"
  set -- $o; [ $# = 2 ] || fail "$m: app printed '$o'"; u=$1; [ $m = cpu ] && u=$2
  awk -v a="$1" -v b="$b" 'BEGIN { exit !(a <= 4*b + 1.5) }' || fail "$m: $1 s, without the profiler $b s"
  have "$P"; lines_ok "$P"; awk -v w="$(incl "$P" zz_deep)" -v a="$u" 'BEGIN { exit !(w >= 500*a && w <= 1400*a) }' || fail "$m: zz_deep has $(incl "$P" zz_deep) ms of $u s"
done
