#!/bin/bash
# Fifteen short runs at 10 kHz with threads still alive at the end: all exit 0, none prints a bug
# report. (tmm1/stackprof#157, tmm1/stackprof#200: A signal that arrives while the VM is being
# torn down finds no current thread and crashes a process that had finished its work.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
for i in $(seq 15); do
  m=wall; [ $((i%2)) = 0 ] && m=cpu
  rp record -m $m -f 10000 -o "$P" -- "$RUBY" --disable-gems -e 'Thread.new { loop { Thread.pass } }; 5.times { Thread.new { sleep } }; at_exit { sleep 0.005 }; sleep 0.01' 2>"$OUT/err"; rc=$?
  [ $rc = 0 ] || fail "run $i ($m): exit status $rc: $(head -c 120 "$OUT/err")"
  grep -q '\[BUG\]' "$OUT/err" && fail "run $i ($m): $(grep -m1 -F '[BUG]' "$OUT/err")"
done
[ -e "$P" ] || fail "no profile at $P"
