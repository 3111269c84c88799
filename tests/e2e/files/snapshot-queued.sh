#!/bin/bash
# A snapshot that is asked for while another one is being written is written after it.
. "$(dirname "$0")/../lib.sh"
# every fsync takes a second: the first snapshot is long in the writing
rp -o "$P" -- strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=1s "$RUBY" -e '
File.write("pid", $$)
sleep 0.05 until File.exist?("done")' & run=$!
waitfile pid || skip "strace cannot delay system calls here"
pid=$(cat pid)
kill -USR2 "$pid"
for ((i = 0; i < 200; i++)); do
    [ ! -e ".rperf-$pid-0.tmp" ] || break
    sleep .02
done
[ ! -e "p.$pid.1.collapsed" ] || fail "too slow for this test"
kill -USR2 "$pid"
waitfile "p.$pid.1.collapsed" || fail "no first snapshot"
waitfile "p.$pid.2.collapsed" || fail "no second snapshot"
touch done
wait $run || fail "status $?"
[ ! -e "p.$pid.3.collapsed" ] || fail "one too many"
have "$P"
