#!/bin/bash
# Mixed threads, GC, C calls and blocks: at 100, 1000 and 5000 Hz the cpu total is at least 80%
# (70% at 5000 Hz, where the profiler's own cost counts) of the CPU used by the script and at most
# 115% of that of the process. (tmm1/stackprof#27, tmm1/stackprof#63, rbspy/rbspy#242: High miss
# rates: most samples are dropped, and two runs at two rates disagree.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
for f in 100 1000 5000; do
  o=$(rp record -m cpu -f $f -o "$P" -- "$RUBY" "$APP") || fail "$f Hz: status $?"
  have "$P"; set -- $o; lo=80; [ $f = 5000 ] && lo=70; between "$(total "$P")" $(($1*lo/100)) $(($2*115/100)) "$f Hz: total (script used $1 ms, process $2 ms)"
done
