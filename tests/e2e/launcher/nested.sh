#!/bin/bash
# A profiled program can profile another: inherited RPERF_* are not ours.
# run: once
. "$(dirname "$0")/../lib.sh"
RPERF_MODE=wall RPERF_FREQUENCY=bogus RPERF_OUTPUT=wrong.data rp -o outer.pb.gz \
    "$RUBY" -e 'i = 0; i += 1 while i < 3_000_000; exec(*ARGV)' \
    "$RPERF_RUN" -o inner.pb.gz "$RUBY" -r "$E2E/burn" -e 'def zz_in = burn(0.2)
zz_in; exit 6' 2>err
is $? 6 "status: $(cat err)"
[ ! -e wrong.data ] || fail "RPERF_OUTPUT of the caller was used"
near "$(cum_ms inner.pb.gz cpu zz_in)" 200 5 "zz_in in the inner profile" 6
between "$(cum_ms outer.pb.gz cpu zz_in)" 0 0 "zz_in in the outer profile"
is "$(pprof -raw outer.pb.gz | grep -c wall/nanoseconds)" 0 "only cpu in the outer one"
