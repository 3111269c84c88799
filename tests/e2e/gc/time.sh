#!/bin/bash
# Garbage collection is [GC marking] and [GC sweeping] in both modes, with %GC labels.
# run: jit
. "$(dirname "$0")/../lib.sh"
for mode in cpu wall; do
    gc_ms=$(rp -m $mode -o p.pb.gz -- "$RUBY" "$APP") || fail "$mode: status $?"
    # the VM's own figure is CPU time (gc.c: gc_stat time), so it is compared with that
    near "$(flat_ms p.pb.gz cpu '^\[GC (marking|sweeping)\]$')" "$gc_ms" 25 "$mode: GC time" 15
    profiled=$(flat_ms p.pb.gz $mode '^\[GC (marking|sweeping)\]$')
    near "$(all_ms p.pb.gz $mode '-tagfocus=%GC=^(mark|sweep)$')" "$profiled" 1 "$mode: %GC" 1
    [ "$(flat_ms p.pb.gz $mode '^\[GC marking\]$')" -gt 0 ] || fail "$mode: no [GC marking]"
    [ "$(flat_ms p.pb.gz $mode '^\[GC sweeping\]$')" -gt 0 ] || fail "$mode: no [GC sweeping]"
done
