#!/bin/bash
# Same exit status as without the profiler; Ruby's bug report is on stderr; no hang; the
# profile holds the method with 60-140% of its 0.2 s. (DataDog/dd-trace-rb#3384,
# tmm1/stackprof#81: When the interpreter crashes, the report on stderr must still be Ruby's own,
# and the exit status too; a profiler handler that crashes inside the crash handler hides the
# cause.)
. "$(dirname "$0")/../../lib.sh"
plain "$RUBY" "$APP" 2>/dev/null; base=$?
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"; rc=$?
[ $rc = $base ] || fail "exit status $rc, without the profiler $base"
grep -q 'Segmentation fault' "$OUT/err" || fail "no bug report on stderr"
x=$(incl "$P" zz_x); [ "$x" -ge 120 ] && [ "$x" -le 280 ] || fail "zz_x: $x ms, expected 120..280"
