#!/bin/bash
# 5,000 methods made by eval and collected while they are sampled keep their right names.
# run: jit
# timeout: 90
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -f 5000 -o "$P" -- "$RUBY" "$APP" 2>err) || fail "status $?: $(grep -m1 BUG err)"
lines_ok "$P"
# Each class Holder_N has one method zz_N, called by nobody else.
wrong=$(grep -oE 'Holder_[0-9]+[#.]zz_[0-9]+' "$P" | sort -u |
    awk -F'_|#|[.]' '$2 != $4 { print; exit }')
is "$wrong" "" "a method with another's name"
seen=$(grep -oE 'zz_[0-9]+' "$P" | sort -u | wc -l)
[ "$seen" -ge 1000 ] || fail "only $seen of 5,000 methods seen"
near "$(incl "$P" 'zz_[0-9]+(;|$)')" "$out" 15 "all of them" 20
