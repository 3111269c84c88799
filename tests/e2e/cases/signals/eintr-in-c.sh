#!/bin/bash
# poll, usleep and select called from C (with and without the GVL) for 60-120 ms return as if
# undisturbed: right result and not early, at 2 kHz, while another thread is busy.
# (tmm1/stackprof#91, SamSaffron/fast_stack#2, DataDog/documentation#17370,
# ClickHouse/ClickHouse#109592: poll, select and nanosleep are never restarted after a signal:
# database drivers and S3 clients lose connections, or their timeouts never end, as soon as the
# profiler is on.)
. "$(dirname "$0")/../../lib.sh"
e=$("$RUBY" -W0 -e 'require "fiddle"' 2>&1) || skip "no fiddle on Ruby $("$RUBY" -e 'print RUBY_VERSION'): $(head -1 <<<"$e" | sed "s/^.*': //")"
for m in wall cpu; do
  o=$(rp record -m $m -f 2000 -o "$P" -- "$RUBY" -W0 "$APP"); rc=$?
  [ $rc = 0 ] || fail "$m: exit status $rc"
  [ "$o" = "[]" ] || fail "$m: interrupted calls: ${o:0:160}"; have "$P"
done
