#!/bin/bash
# Asleep in C: with the GVL it is the method itself, without it is [GVL blocked].
# run: jit
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
out=$(rp -m wall -o "$P" -- "$RUBY" "$APP" "$PROBE/probe") || fail "status $?"
measured "$P" "$out"
near "$(incl "$P" 'Probe[.#]sleep_gvl$')" 300 5 "sleep_gvl as a leaf" 10
near "$(incl "$P" 'Probe[.#]sleep_nogvl;\[GVL blocked\]$')" 300 5 "sleep_nogvl" 10
near "$(incl "$P" 'Probe[.#]busy_nogvl;\[GVL blocked\]$')" 300 10 "busy_nogvl" 20
