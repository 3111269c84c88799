#!/bin/bash
# After SIGINT to the whole process group: status 130, profile written with the method in it.
# (rbspy/rbspy#158, davidmarkclements/0x#38: Ctrl-C goes to the launcher and the app alike; the
# launcher dies first or the file is never written.)
. "$(dirname "$0")/../../lib.sh"
setsid "$RPERF_RUN" record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" "$OUT/pid" 2>"$OUT/err" & l=$!
waitfile "$OUT/pid" || { kill -9 -- -$l; fail "app did not start"; }
sleep 1; kill -INT -- "-$(ps -o pgid= -p "$(cat "$OUT/pid")" | tr -d ' ')"
( sleep 8; kill -9 -- -$l ) >/dev/null 2>&1 & w=$!
wait $l; rc=$?; kill $w 2>/dev/null
[ $rc = 130 ] || fail "exit status $rc, expected 130"
have "$P"; lines_ok "$P"; between "$(incl "$P" zz_loop)" 300 2500 zz_loop
