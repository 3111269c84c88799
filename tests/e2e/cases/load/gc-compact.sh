#!/bin/bash
# No crash, right output, valid profile at 5 kHz in both modes. (DataDog/dd-trace-rb#6056,
# jhawthorn/vernier#31, ruby/ruby#5202: Frames kept by the profiler are moved by compaction or
# freed; samples taken while the GC runs touch objects in an unreadable state.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
for m in wall cpu; do
  o=$(rp record -m $m -f 5000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
  [ $rc = 0 ] && [ "$o" = fine ] || fail "$m: '$o', status $rc: $(grep -m1 -aF '[BUG]' "$OUT/err" | head -c 120)"
  have "$P"; lines_ok "$P"; [ "$(incl "$P" zz_churn)" -gt 0 ] || fail "$m: zz_churn missing"
done
