#!/bin/bash
# Each kind of waiting gets its time, below [GVL blocked].
# run: jit
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
out=$(rp -m wall -o "$P" -- "$RUBY" "$APP") || fail "status $?"
measured "$P" "$out"
for pair in $out; do
    near "$(incl "$P" "zz_${pair%=*};.*\[GVL blocked\]\$")" "${pair#*=}" 5 \
        "zz_${pair%=*}, blocked" 10
done
rp -m cpu -o "$P" -- "$RUBY" "$APP" >/dev/null || fail "cpu: status $?"
between "$(incl "$P" zz_)" 0 80 "all waits in cpu mode"
is "$(grep -c '\[GVL' "$P")" 0 "[GVL ...] frames in cpu mode"
