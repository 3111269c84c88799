#!/bin/bash
# One output file; each worker method gets 60-140% of its known CPU time; the boot work before the
# fork is counted once; no stray files. (grafana/pyroscope-rs#112, jhawthorn/vernier#115: In a
# cluster server only the master shows up in the profile; the workers, where the time goes, are
# missing (or the work done before the fork is counted again in each worker).)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" || fail "exit status $?"
have "$P"; lines_ok "$P"
for m in a b c; do between "$(incl "$P" zz_worker_$m)" 240 560 zz_worker_$m; done
between "$(incl "$P" zz_boot)" 180 420 "zz_boot (counted once)"
[ "$(ls "$OUT" | wc -l)" = 1 ] || fail "stray files: $(ls "$OUT" | tr '\n' ' ')"
