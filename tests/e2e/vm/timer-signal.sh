#!/bin/bash
# A POSIX timer as time source gives the same times, and no EINTR.
# run: jit
. "$(dirname "$0")/../lib.sh"
for number in 34 14 26; do
    out=$(rp --signal $number -o "$P" "$RUBY" -r "$E2E/measure" -e '
def zz_a = burn(0.3)
cpu(:a) { zz_a }
report_measured') || fail "--signal $number: status $?"
    measured "$P" "$out"
done
