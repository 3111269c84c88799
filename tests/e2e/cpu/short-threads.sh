#!/bin/bash
# 5,000 threads shorter than a sampling interval are not lost.
# run: alone
# timeout: 90
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
used=$(rp -m cpu -o "$P" -- "$RUBY" "$APP") || fail "status $?"
near "$(incl "$P" zz_tiny)" "$used" 10 "5,000 short threads" 20
