#!/bin/bash
# Integer#pow, Array#sort, Regexp backtracking and String#* each get 60-140% of the CPU they used,
# the trivial Ruby method called after each of them at most 40 ms over all four calls.
# (ruby/ruby#3299, MiniProfiler/rack-mini-profiler#662, tmm1/stackprof#180: No safepoint comes
# while one C call runs for half a second: a sampler that counts samples sees one, and gives the
# time to whatever runs next.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP") || fail "status $?"
have "$P"; lines_ok "$P"
for kv in $o; do k=${kv%=*}; v=${kv#*=}; between "$(incl "$P" "zz_$k")" $((v*60/100)) $((v*140/100+5)) "zz_$k (used $v ms)"; done
between "$(incl "$P" zz_after)" 0 40 "zz_after (four trivial calls)"
