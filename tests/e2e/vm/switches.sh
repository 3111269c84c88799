#!/bin/bash
# 200,000 GVL switches a second: as fast as without us, and few stacks: invariant 3.
# run: jit alone
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
without=$(plain "$RUBY" "$APP") || fail "without: $?"
with=$(rp -m wall -f 100 -o p.pb.gz "$RUBY" "$APP") || fail "with: $?"
[ "$with" -le $((without * 2 + 300)) ] || fail "$with ms, without us $without ms"
samples=$(flat p.pb.gz samples | awk '{ n += $1 } END { print n + 0 }')
seconds=$(((with + 999) / 1000 + 1))
[ "$samples" -le $((seconds * 201 + 50)) ] || fail "$samples stacks in $with ms at 100 Hz"
