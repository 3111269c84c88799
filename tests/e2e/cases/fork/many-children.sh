#!/bin/bash
# All 20 children are in the one file, the sum of their CPU is 60-140% of what they used; no stray
# files. (gperftools/gperftools#601, rkern/line_profiler#57: Children that end at the same moment
# overwrite one another's file, or the merge takes only the last.)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP"; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
have "$P"; lines_ok "$P"
for i in $(seq -w 1 20); do [ "$(incl "$P" zz_child_$i)" -gt 0 ] || fail "child $i is missing"; done
between "$(incl "$P" zz_child_)" 960 2240 "sum of children"
[ "$(ls "$OUT" | wc -l)" = 1 ] || fail "stray files: $(ls "$OUT" | tr '\n' ' ')"
