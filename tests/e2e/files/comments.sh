#!/bin/bash
# The comments of a profile say where it comes from.
. "$(dirname "$0")/../lib.sh"
rp -m wall -f 321 -o p.pb.gz "$RUBY" -e 'sleep 0.1; i = 0; i += 1 while i < 3_000_000' || fail "status $?"
comments p.pb.gz >c
says c wall; says c 321; says c "$RUBY_NUMBER"; says c 'sleep 0.1'
pprof -raw p.pb.gz >raw
grep -A1 '^Samples:' raw | grep -qE 'samples/count cpu/nanoseconds wall/nanoseconds\[dflt\]' ||
    fail "sample types: $(grep -A1 '^Samples:' raw | xargs)"
rp -o q.pb.gz "$RUBY" -e 'i = 0; i += 1 while i < 3_000_000' || fail "status $?"
pprof -raw q.pb.gz | grep -A1 '^Samples:' | grep -qE 'samples/count cpu/nanoseconds\[dflt\]$' ||
    fail "sample types in cpu mode"
grep -qE '^Duration: [0-9.]+' raw || fail "no duration: $(head -n 8 raw | xargs)"
