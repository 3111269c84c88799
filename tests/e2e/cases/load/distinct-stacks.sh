#!/bin/bash
# 20000 generated methods on random call paths at 5 kHz: peak memory at most 200 MB above the run
# without the profiler; output valid. (ruby-prof/ruby-prof#148, rbspy/rbspy#64,
# jhawthorn/vernier#162: Big suites have hundreds of thousands of different stacks; the profiler
# eats gigabytes or writes files no viewer loads.)
# run: jit alone
. "$(dirname "$0")/../../lib.sh"
b=$(plain "$RUBY" "$APP") || fail "base run: $?"
o=$(rp record -m cpu -f 5000 -o "$P" -- "$RUBY" "$APP"); rc=$?
[ $rc = 0 ] || fail "status $rc"
[ $((o-b)) -le 200 ] || fail "peak memory $o MB, without the profiler $b MB"
have "$P"; lines_ok "$P"; [ "$(wc -l < "$P")" -ge 500 ] || fail "only $(wc -l < "$P") distinct stacks"
