#!/bin/bash
# A test suite of minitest, which runs in one at_exit block, is in the profile with its CPU time.
# run: jit
. "$(dirname "$0")/../lib.sh"
plain "$RUBY" -e 'require "minitest"' 2>/dev/null || skip "no minitest for this Ruby"
used=$(rp -o p.pb.gz "$RUBY" "$APP" 2>err | tail -n 1) || fail "status $?: $(cat err)"
near "$(all_ms p.pb.gz cpu)" "$used" 2 "total" 25
near "$(cum_ms p.pb.gz cpu 'test_it_burns')" 600 3 "the test"
