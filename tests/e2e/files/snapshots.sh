#!/bin/bash
# A snapshot is written while the program is stuck in C or asleep, too.
. "$(dirname "$0")/../lib.sh"
rp -m wall -o "$P" -- "$RUBY" -r "$PROBE/probe" -e '
File.write("pid", $$)
Probe.busy_gvl(1500)
Probe.sleep_gvl(1500)
File.write("asleep", "x")
sleep 2' & run=$!
waitfile pid || fail "did not start"
pid=$(cat pid)
for n in 1 2; do
    sleep .7
    [ ! -e asleep ] || fail "too slow for this test"
    kill -USR2 "$pid"
    waitfile "p.$pid.$n.collapsed" || fail "no snapshot $n while stuck in C"
done
waitfile asleep
kill -USR2 "$pid"
waitfile "p.$pid.3.collapsed" || fail "no snapshot while asleep"
wait $run || fail "status $?"
for n in 1 2 3; do lines_ok "p.$pid.$n.collapsed"; done
[ "$(total "p.$pid.3.collapsed")" -ge 2900 ] || fail "snapshots are cumulative"
have "$P"
