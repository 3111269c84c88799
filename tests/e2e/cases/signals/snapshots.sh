#!/bin/bash
# Each SIGUSR2 makes NAME.<pid>.<n>.EXT (n from 1), valid at once; the process goes on; the final
# file is written too. (rbspy/rbspy#118, gperftools/gperftools#455: A server runs for days: people
# want the profile so far without stopping it, and again later.)
. "$(dirname "$0")/../../lib.sh"
rp record -m wall -f 1000 -o "$P" -- "$RUBY" "$APP" "$OUT/pid" "$OUT/stop" 2>"$OUT/err" & l=$!
waitfile "$OUT/pid" || fail "app did not start"; pid=$(cat "$OUT/pid")
for n in 1 2; do
  sleep .7; kill -USR2 $pid 2>/dev/null || { wait $l; fail "the process died: status $?"; }
  waitfile "$OUT/p.$pid.$n.collapsed" 3 || { touch "$OUT/stop"; wait $l; fail "no snapshot p.$pid.$n.collapsed: $(ls "$OUT" | tr '\n' ' ')"; }
  sleep .2; lines_ok "$OUT/p.$pid.$n.collapsed"; [ "$(incl "$OUT/p.$pid.$n.collapsed" zz_loop)" -ge 200 ] || fail "snapshot $n lacks zz_loop"
done
touch "$OUT/stop"; wait $l; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
have "$P"; lines_ok "$P"; [ "$(incl "$P" zz_loop)" -ge 1000 ] || fail "the final profile lost the time before the snapshots"
