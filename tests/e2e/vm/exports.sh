#!/bin/bash
# The library links no symbol of Ruby and exports only what must be taken over or called.
# run: once
. "$(dirname "$0")/../lib.sh"
is "$(nm -D --undefined-only "$RPERF_LIB" | grep -cE ' (U|w) (rb_|ruby_)')" 0 "hard Ruby symbols"
nm -D --defined-only "$RPERF_LIB" | awk '{ sub(/@.*/, "", $3); print $3 }' >exports
is "$(grep -cvE '^(ruby_options|sigaction)$' exports)" 0 \
    "exports: $(xargs <exports)"
readelf -d "$RPERF_LIB" | grep -q BIND_NOW || fail "no full RELRO"
readelf -d "$RPERF_LIB" | grep NEEDED | grep -q ruby && fail "links libruby"
exit 0
