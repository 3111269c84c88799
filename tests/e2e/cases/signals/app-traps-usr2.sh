#!/bin/bash
# The app's trap runs for each USR2, the process lives on, the profile is complete.
# (puma/puma#3567, sidekiq/sidekiq#4653, puma/puma#136: Servers use SIGUSR2 for restart; a
# profiler that takes the signal breaks restarts, or the app's later trap takes it away and the
# process dies.)
. "$(dirname "$0")/../../lib.sh"
rp record -m wall -f 1000 -o "$P" -- "$RUBY" "$APP" "$OUT/pid" >"$OUT/o" 2>"$OUT/err" & l=$!
waitfile "$OUT/pid" || fail "app did not start"
for i in 1 2; do sleep .5; kill -USR2 "$(cat "$OUT/pid")"; done
wait $l; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
[ "$(cat "$OUT/o")" = "restarts=2" ] || fail "the app's trap: $(cat "$OUT/o"), expected restarts=2"
have "$P"; lines_ok "$P"; between "$(incl "$P" zz_serve)" 1200 2800 zz_serve
