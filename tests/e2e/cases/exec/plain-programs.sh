#!/bin/bash
# stdout and stderr of the run are byte for byte those without the profiler; only the profile is
# created. (heroku/heroku-buildpack-ruby#570, geopm/geopm#3332: The preloaded library prints into
# (or breaks) every shell, git and cat that the app starts; an app that parses their output
# fails.)
. "$(dirname "$0")/../../lib.sh"
plain "$RUBY" "$APP" >"$OUT/b" 2>&1; mkdir "$OUT/d"
rp record -m wall -f 1000 -o "$OUT/d/p.collapsed" -- "$RUBY" "$APP" >"$OUT/a" 2>&1; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
cmp -s "$OUT/a" "$OUT/b" || fail "output differs: $(diff "$OUT/b" "$OUT/a" | head -3 | tr '\n' '/')"
have "$OUT/d/p.collapsed"
[ "$(ls "$OUT/d" | wc -l)" = 1 ] || fail "stray files: $(ls "$OUT/d" | tr '\n' ' ')"
