#!/bin/bash
# A wrong setting is one warning line; the program runs on, unprofiled.
. "$(dirname "$0")/../lib.sh"
for pair in RPERF_MODE=bogus RPERF_FREQUENCY=0 RPERF_FREQUENCY=1x RPERF_FORMAT=gif RPERF_SIGNAL=9 \
    RPERF_SNAPSHOT_SIGNAL=BOGUS RPERF_LINES=maybe; do
    expect 3 env "$pair" timeout 30 env LD_PRELOAD="$RPERF_LIB" "$RUBY" -e 'puts "ran"; exit 3'
    is "$(cat out)" ran "$pair"
    is "$(wc -l <err)" 1 "$pair: lines of warning: $(cat err)"
    says err "^rperf: .*${pair%=*}"
    says err "${pair#*=}"
    [ ! -e rperf.data ] || fail "$pair: a profile was written"
done
