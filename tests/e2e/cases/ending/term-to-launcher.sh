#!/bin/bash
# SIGTERM sent to the launcher reaches the app, whose trap runs; status 0; profile written.
# (rbspy/rbspy#118, benfred/py-spy#717: In a container the launcher is process 1 and gets the stop
# signal; if it does not pass it on, the app is killed hard ten seconds later and the profile is
# lost.)
. "$(dirname "$0")/../../lib.sh"
"$RPERF_RUN" record -m wall -f 500 -o "$P" -- "$RUBY" "$APP" "$OUT/pid" >"$OUT/out" 2>"$OUT/err" & l=$!
waitfile "$OUT/pid" || { kill -9 $l; fail "app did not start"; }
sleep .6; kill -TERM $l
( sleep 8; kill -9 $l "$(cat "$OUT/pid")" ) >/dev/null 2>&1 & w=$!
wait $l; rc=$?; kill $w 2>/dev/null
grep -q cleaned "$OUT/out" || fail "the app's TERM trap did not run (status $rc)"
[ $rc = 0 ] || fail "exit status $rc, expected 0"
have "$P"; lines_ok "$P"; between "$(incl "$P" zz_idle)" 300 2500 zz_idle
