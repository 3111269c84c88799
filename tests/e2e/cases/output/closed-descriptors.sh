#!/bin/bash
# The app's data file holds its rows only; the profile holds no text of the app; status 0.
# (gperftools/gperftools#802, adsr/phpspy#158: Daemons close 0 and 2: the next file opened gets
# that number. A profiler that opens its file early gets fd 2, and every warning of the app ends
# up inside the profile; or its own message goes into the app's data file.)
. "$(dirname "$0")/../../lib.sh"
export DATA=$OUT/data
"$RPERF_RUN" record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 0<&- 2>&-; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
[ "$(cat "$DATA")" = "$(printf 'row\nrow\nrow\nrow\nrow')" ] || fail "the app's data file was written to: $(head -c 120 "$DATA")"
have "$P"; lines_ok "$P"; grep -q 'zz noise' "$P" && fail "the app's warnings are inside the profile"
between "$(incl "$P" zz_app)" 180 420 zz_app
