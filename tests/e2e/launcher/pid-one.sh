#!/bin/bash
# As PID 1 it ends with 128+N when the command was killed.
# run: once
. "$(dirname "$0")/../lib.sh"
unshare -fp --mount-proc true 2>/dev/null || skip "no PID namespaces here"
expect 137 timeout 30 unshare -fp --mount-proc "$RPERF_RUN" -o "$P" "$RUBY" -e 'Process.kill(:KILL, $$); sleep 5'
expect 7 timeout 30 unshare -fp --mount-proc "$RPERF_RUN" -o "$P" "$RUBY" -e 'exit 7'
have "$P"
