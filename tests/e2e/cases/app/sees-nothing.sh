#!/bin/bash
# Thread.list, the json, zlib and set files in $LOADED_FEATURES and the descriptors seen by an
# exec-ed child are those without the profiler (features named `rperf` or `rperf/...` may appear).
# (tmm1/stackprof#91, sethfitz/heroku-buildpack-jemalloc#6, puma/puma#2359: A helper Ruby thread
# makes servers warn about threads before fork; descriptors without close-on-exec leak into every
# child; extra loaded files change load-order bugs.)
. "$(dirname "$0")/../../lib.sh"
plain "$RUBY" "$APP" >"$OUT/b" </dev/null
rp record -m wall -f 1000 -o "$P" -- "$RUBY" "$APP" >"$OUT/a" </dev/null || fail "status $?"
cmp -s "$OUT/a" "$OUT/b" || fail "differs: $(diff "$OUT/b" "$OUT/a" | head -4)"
[ -e "$P" ] || fail "no profile at $P"
