#!/bin/bash
# Status 0, no hang; the merged profile is valid and holds the master and the surviving worker.
# (aeron-io/benchmarks#74, rbspy/rbspy#311: The OOM killer or a timeout kills one worker while it
# writes; the whole profile becomes unreadable or the parent waits for ever.)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP"; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_master)" 180 420 zz_master
between "$(incl "$P" zz_survivor)" 240 560 zz_survivor
