#!/bin/bash
# The profile is written where asked, with the work of the parent and of a fork made after
# ENV.clear; status 0; no message. (rbspy/rbspy#292: Hardened apps drop their environment; a
# profiler that reads HOME, TMPDIR or its own settings again at the end fails there, far from the
# cause.)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"; rc=$?
[ $rc = 0 ] || fail "exit status $rc: $(head -c 150 "$OUT/err")"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_one)" 180 420 zz_one; between "$(incl "$P" zz_two)" 180 420 "zz_two (forked later)"
