#!/bin/bash
# 4000 threads: no crash, memory growth below 60 MB, no leaked descriptors; the CPU of
# threads shorter than the sampling interval (2 s in total) is 60-140% in the profile.
# (DataDog/dd-trace-rb#2429, jhawthorn/vernier#51, DataDog/dd-trace-rb#5903: Per-thread timers and
# records of dead threads leak; Ruby reuses native threads, so state of a dead thread is applied
# to a new one; pthread_kill on a dead thread crashes.)
# run: alone
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
[ $rc = 0 ] || fail "exit status $rc: $(head -c 150 "$OUT/err")"
set -- $o; [ "$1" -le 60 ] || fail "memory grew by $1 MB"; [ "$2" -le 10 ] || fail "$2 descriptors leaked"
have "$P"; lines_ok "$P"; t=$(incl "$P" zz_tiny); [ "$t" -ge 1200 ] && [ "$t" -le 2800 ] || fail "zz_tiny: $t ms, expected 1200..2800"
