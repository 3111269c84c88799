#!/bin/bash
# Status 1; the same backtrace lines on stderr as without the profiler; the profile holds the
# method. (benfred/py-spy#717: The run that fails is the one worth profiling: the profile must
# still be written and the backtrace shown as usual.)
. "$(dirname "$0")/../../lib.sh"
plain "$RUBY" "$APP" 2>"$OUT/base"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"; rc=$?
[ $rc = 1 ] || fail "exit status $rc, expected 1"
while IFS= read -r l; do grep -qF -- "$l" "$OUT/err" || fail "backtrace line missing: $l"; done < "$OUT/base"
have "$P"; lines_ok "$P"; between "$(incl "$P" zz_work)" 180 420 zz_work
