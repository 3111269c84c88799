#!/bin/bash
# A relative -o is taken from where the launcher was started, also for forks made after the chdir
# and when the new directory is deleted. (python/cpython#84672, async-profiler/async-profiler#229:
# The app changes its directory (or the directory is gone) before it ends; the profile lands
# somewhere else or nowhere.)
. "$(dirname "$0")/../../lib.sh"
mkdir "$OUT/w"; cd "$OUT/w"
rp record -m cpu -f 1000 -o rel.collapsed -- "$RUBY" "$APP" 2>"$OUT/err"; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
[ -s "$OUT/w/rel.collapsed" ] || fail "no rel.collapsed where the launcher was started"
between "$(incl "$OUT/w/rel.collapsed" zz_one)" 180 420 zz_one
between "$(incl "$OUT/w/rel.collapsed" zz_two)" 180 420 "zz_two (fork after chdir)"
