#!/bin/bash
# A forked child is profiled, from a fork on; the parent's time is not counted twice.
# run: jit
. "$(dirname "$0")/../lib.sh"
rp -o p.pb.gz "$RUBY" -r "$E2E/burn" -e '
def zz_before = burn(0.3)
def zz_child = burn(0.3)
def zz_parent = burn(0.3)
zz_before
pid = fork { zz_child }
zz_parent
Process.wait(pid)
exit $?.exitstatus' || fail "status $?"
for name in before child parent; do near "$(cum_ms p.pb.gz cpu zz_$name)" 300 3 zz_$name 6; done
pprof -tags p.pb.gz | awk '/%pid:/ { on = 1; next } /^ *[a-z%_]+:/ { on = 0 } on && NF' >pids
is "$(grep -c . pids)" 2 "processes in %pid"
