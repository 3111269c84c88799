#!/bin/bash
# A thread that wants the GVL which another holds: [GVL wait] of known length.
# run: jit
# needs: 3.2
. "$(dirname "$0")/../lib.sh"
waited=$(rp -m wall -o p.pb.gz -- "$RUBY" "$APP" "$PROBE/probe") || fail "status $?"
near "$(flat_ms p.pb.gz wall '^\[GVL wait\]$' '-tagfocus=thread=^waiter$')" "$waited" 5 \
    "waiting for the GVL" 15
near "$(all_ms p.pb.gz wall '-tagfocus=%GVL=^wait$' '-focus=zz_waiter')" "$waited" 5 "%GVL=wait" 15
