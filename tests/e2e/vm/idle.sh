#!/bin/bash
# While no thread holds the GVL nothing of ours wakes up: invariant 3.
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
rp -m wall -f 10000 -o "$P" "$RUBY" -e 'sleep 0.3
File.write("pid", $$)
sleep 3
File.write("end", "x")' & run=$!
waitfile pid || fail "did not start"
sleep .7
switches() { cat /proc/"$(cat pid)"/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'; }
before=$(switches)
sleep 1
after=$(switches)
[ ! -e end ] || skip "the machine was too slow to look in time"
wait $run || fail "status $?"
# What the VM's own timer thread does is little; ticks would be 10,000.
[ $((after - before)) -le 60 ] || fail "$((after - before)) wake-ups in an idle second"
