#!/bin/bash
# Ractors run with us: no crash, the total is right.
# needs: 3.3
. "$(dirname "$0")/../lib.sh"
used=$(rp -m cpu -o p.pb.gz "$RUBY" -W0 -r "$E2E/burn" -e '
ractors = 2.times.map { Ractor.new { burn(0.3); 1 } }
sum = ractors.sum { |r| r.respond_to?(:value) ? r.value : r.take }
burn(0.2)
abort "sum" unless sum == 2
puts((Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) * 1000).round)') || fail "status $?"
total=$(all_ms p.pb.gz cpu)
[ "$total" -le $((used * 102 / 100 + 30)) ] || fail "total $total ms of $used ms"
