#!/bin/bash
# %p becomes a pid (never a literal %p); parent and child work are each found once over all files;
# no empty file. (gperftools/gperftools#601, gperftools/gperftools#1493: Forked children write to
# the name of the parent and overwrite one another; or unexpected name_PID files appear, some of
# them empty.)
. "$(dirname "$0")/../../lib.sh"
pid=$(rp record -m cpu -f 1000 -o "$OUT/prof-%p.collapsed" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
[ $rc = 0 ] || fail "exit status $rc"; rm -f "$OUT/err"
ls "$OUT" | grep -q '%' && fail "literal %p: $(ls "$OUT" | tr '\n' ' ')"
ls "$OUT" | grep -qE '^prof-[0-9]+\.collapsed$' || fail "no prof-PID.collapsed: $(ls "$OUT" | tr '\n' ' ')"
m=0; c=0; for f in "$OUT"/prof-*; do have "$f"; m=$((m+$(incl "$f" zz_main))); c=$((c+$(incl "$f" zz_child))); done
between $m 180 420 "zz_main over all files"; between $c 240 560 "zz_child over all files"
[ -s "$OUT/prof-$pid.collapsed" ] || fail "no file with the pid of the ruby process ($pid)"
