#!/bin/bash
# In cpu mode the worker's method gets 60-140% of 0.8 s CPU, the join and the idle poller at most
# 10% of it. (tmm1/stackprof#142, ruby-prof/ruby-prof#178: The signal wakes the thread that waits
# in Thread#join, which then records itself: 80% of a CPU profile is a join that used 1%.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" || fail "status $?"
have "$P"; between "$(incl "$P" zz_worker)" 480 1120 zz_worker
between "$(incl "$P" 'zz_wait|zz_idle')" 0 80 "join and idle poller"
