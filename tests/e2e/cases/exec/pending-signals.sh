#!/bin/bash
# All 160 exec-ed children exit 0 at 10 kHz; none is killed by a signal. (DataDog/dd-trace-
# rb#5101, DataDog/dd-trace-rb#5246, DataDog/dd-trace-rb#2955: A timer signal sent just before
# exec is delivered to the new program, whose handlers are back to default: the child dies with
# "Profiling timer expired" (status 155) now and then.)
. "$(dirname "$0")/../../lib.sh"
for m in cpu wall; do
  o=$(rp record -m $m -f 10000 -o "$OUT/$m.collapsed" -- "$RUBY" "$APP"); rc=$?
  [ $rc = 0 ] || fail "$m: exit status $rc"
  [ "$o" = "bad=[]" ] || fail "$m: children killed or failed: ${o:0:100}"; have "$OUT/$m.collapsed"
done
