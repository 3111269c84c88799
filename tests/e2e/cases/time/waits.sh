#!/bin/bash
# Each of eight waits of 250 ms (sleep, join, pop, select, cv, child wait, pipe read, backtick)
# gets 60-140% in wall mode (before Ruby 3.3, which has no thread events for it: the total is
# 60-140% of the lives of its threads); in cpu mode all together stay below 100 ms.
# (tmm1/stackprof#193, MiniProfiler/rack-mini-profiler#536, tmm1/stackprof#63: The flame graph
# shows 30 ms of a 4 s request: sleeping, joining and reading threads get no samples in wall
# mode.)
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m wall -f 1000 -o "$P" -- "$RUBY" "$APP") || fail "wall: status $?"
have "$P"; lines_ok "$P"
if ver_ge 3.3.0; then for k in sleep join pop select cv child read backtick; do between "$(incl "$P" "zz_$k")" 150 400 "zz_$k"; done
else between "$(total "$P")" $((o*6/10)) $((o*14/10)) "total (its threads lived $o ms)"; fi
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" >/dev/null || fail "cpu: status $?"
lines_ok "$P"; between "$(incl "$P" zz_)" 0 100 "all waits in cpu mode"
