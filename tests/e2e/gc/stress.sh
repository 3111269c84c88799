#!/bin/bash
# GC at every allocation, compaction: no crash, and what it prints is unchanged.
# run: jit
. "$(dirname "$0")/../lib.sh"
for mode in cpu wall; do
    out=$(rp -m $mode -f 5000 -o p.pb.gz -- "$RUBY" -e '
GC.stress = true
a = 60.times.map { |i| "s#{i}" * 3 }
GC.stress = false
GC.compact if GC.respond_to?(:compact)
puts a.size') || fail "$mode: status $?"
    is "$out" 60 "$mode"
done
