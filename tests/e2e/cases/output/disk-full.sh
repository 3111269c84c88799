#!/bin/bash
# The app's output and status stay; a message on stderr says that the profile was not written (or
# a whole profile is there). (async-profiler/async-profiler#830, jhawthorn/vernier#162: The disk
# fills up while the profile is written: the file is cut short and nobody says so, until the
# viewer cannot load it.)
# leaves: session
. "$(dirname "$0")/../../lib.sh"
for e in collapsed json.gz pb.gz; do
  ln -sf /dev/full "$OUT/full.$e"
  a=$(rp record -m cpu -o "$OUT/full.$e" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
  [ "$a" = ran ] && [ $rc = 5 ] || fail "$e: app printed '$a', status $rc, expected 'ran' and 5"
  [ -f "$OUT/full.$e" ] && [ -s "$OUT/full.$e" ] && continue
  grep -qiE 'space|full|write|ENOSPC' "$OUT/err" || fail "$e: no message about the failed write: $(head -c 120 "$OUT/err")"
done
