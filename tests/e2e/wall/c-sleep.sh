#!/bin/bash
# Asleep in C: with the GVL it is the method itself, without it is [GVL blocked].
# run: jit
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
out=$(rp -m wall -o "$P" -- "$RUBY" "$APP" "$PROBE/probe") || fail "status $?"
measured "$P" "$out"
near "$(incl "$P" 'Probe[.#]sleep_gvl$')" 300 5 "sleep_gvl as a leaf" 10
near "$(incl "$P" 'Probe[.#]sleep_nogvl;\[GVL blocked\]$')" 300 5 "sleep_nogvl" 10
# 300 ms of CPU: how much wall time that is the program has measured
busy=$(sed 's/.*busy=\([0-9]*\).*/\1/' <<<"$out")
near "$(incl "$P" 'Probe[.#]busy_nogvl;\[GVL blocked\]$')" "$busy" 5 "busy_nogvl" 10
