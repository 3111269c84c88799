#!/bin/bash
# The CPU time of each thread is its own, by name and by thread_seq.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o p.pb.gz -- "$RUBY" "$APP") || fail "status $?"
for pair in $out; do
    near "$(all_ms p.pb.gz cpu "-tagfocus=thread=^${pair%=*}\$")" "${pair#*=}" 3 "thread ${pair%=*}"
done
pprof -tags p.pb.gz >tags
for key in thread: thread_seq: %pid:; do says tags "$key"; done
says tags main
