#!/bin/bash
# A wall sample carries its CPU time, so that one profile answers both questions.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m wall -o p.pb.gz -- "$RUBY" -r "$E2E/measure" -e '
def zz_busy = burn(0.4)
def zz_idle = sleep(0.4)
cpu(:busy) { zz_busy }
zz_idle
report_measured') || fail "status $?"
near "$(cum_ms p.pb.gz cpu zz_busy)" "${out#*=}" 3 "cpu of the busy one"
between "$(cum_ms p.pb.gz cpu zz_idle)" 0 15 "cpu of the idle one"
ver_ge 3.2 || exit 0
between "$(cum_ms p.pb.gz wall zz_idle)" 395 600 "wall of the idle one"
