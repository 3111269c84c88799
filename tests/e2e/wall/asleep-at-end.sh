#!/bin/bash
# Threads that are still asleep when the program ends are accounted up to then.
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
rp -m wall -o "$P" -- "$RUBY" -e '
def zz_a = sleep
def zz_b = Queue.new.pop
def zz_c = Mutex.new.tap(&:lock).then { |m| ConditionVariable.new.wait(m) }
%i[zz_a zz_b zz_c].each { |m| Thread.new { Thread.current.report_on_exception = false; send(m) } }
sleep 0.5' || fail "status $?"
for name in a b c; do near "$(incl "$P" zz_$name)" 500 5 "zz_$name" 20; done
