#!/bin/bash
# Exit status of the second program; its method is in the profile; the time before the exec
# is there too. (rbspy/rbspy#160, DataDog/dd-trace-rb#5246: Wrappers (bundler, binstubs)
# replace themselves by exec; profilers then either stop at the exec or lose what was measured
# before it.)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" "$HERE/in-place-after.rb"; rc=$?
[ $rc = 6 ] || fail "exit status $rc, expected 6"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_after)" 240 560 zz_after
b=$(incl "$P" zz_before); [ "$b" -ge 240 ] && [ "$b" -le 560 ] || fail "time before exec: $b ms, expected 240..560"
