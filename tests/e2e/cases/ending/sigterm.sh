#!/bin/bash
# Status 143; the profile is written and holds the serving method. (gperftools/gperftools#1475,
# davidmarkclements/0x#38: Services are stopped by SIGTERM; a profiler that writes only on a clean
# exit leaves an empty file.)
. "$(dirname "$0")/../../lib.sh"
rp record -m wall -f 1000 -o "$P" -- "$RUBY" "$APP" "$OUT/pid" 2>"$OUT/err" & l=$!
waitfile "$OUT/pid" || fail "app did not start"
sleep 1; kill -TERM "$(cat "$OUT/pid")"; wait $l; rc=$?
[ $rc = 143 ] || fail "exit status $rc, expected 143"
have "$P"; lines_ok "$P"; between "$(incl "$P" zz_serve)" 500 2500 zz_serve
