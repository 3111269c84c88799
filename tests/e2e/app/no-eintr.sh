#!/bin/bash
# No call of a C extension is interrupted that would not have been without us.
# run: jit
. "$(dirname "$0")/../lib.sh"
for mode in cpu wall; do
    out=$(rp -m $mode -f 2000 -o "$P" "$RUBY" -r "$PROBE/probe" -r "$E2E/burn" -e '
stop = false
busy = Thread.new { burn(0.005) until stop }
calls = 5.times.flat_map { [:sleep_gvl, :sleep_nogvl, :poll, :select].map { |m| Probe.send(m, 60) } }
stop = true
busy.join
puts calls.sum') || fail "$mode: status $?"
    is "$out" 0 "$mode: interrupted calls"
done
