#!/bin/bash
# The weights of a thread are its life: invariant 1, wall mode.
# run: jit alone
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
out=$(rp -m wall -o p.pb.gz -- "$RUBY" "$APP") || fail "status $?"
for pair in $out; do
    near "$(all_ms p.pb.gz wall "-tagfocus=thread=^${pair%=*}\$")" "${pair#*=}" 1 \
        "life of ${pair%=*}" 6
done
