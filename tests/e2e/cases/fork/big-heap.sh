#!/bin/bash
# Five forks of a ~150 MB process at 10 kHz finish within 6 s in total.
# (gperftools/gperftools#335, tmm1/perftools.rb#20, async-profiler/async-profiler#97: clone() of a
# large process takes longer than the sampling interval; each signal restarts it, so fork spins
# for ever at 100% CPU.)
# run: alone
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m cpu -f 10000 -o "$P" -- "$RUBY" "$APP"); rc=$?
[ $rc = 0 ] || fail "exit status $rc (124: forks never finished)"
awk -v t="$o" 'BEGIN { exit !(t < 6) }' || fail "five forks took $o s"
have "$P"
