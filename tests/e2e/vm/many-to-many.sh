#!/bin/bash
# Threads of M:N scheduling, whose events lie: times are right, nothing hangs.
# needs: 3.3
# run: jit
. "$(dirname "$0")/../lib.sh"
export RUBY_MN_THREADS=1
# Ruby 4.0.4 itself, without us, dies at the end of such a program (SIGSEGV in coroutine_transfer while
# the VM frees the stacks; 12 of 30 runs): the profile must be right all the same.
ends() { [ $1 = 0 ] || { [ $1 = 139 ] && ver_ge 4.0; } || fail "$2: status $1"; }
out=$(rp -m cpu -o p.pb.gz "$RUBY" "$APP" 2>/dev/null); ends $? cpu
near "$(cum_ms p.pb.gz cpu 'zz_work$')" "$out" 5 "work" 20
out=$(rp -m wall -f 2000 -o p.pb.gz "$RUBY" "$APP" 2>/dev/null); ends $? wall
near "$(cum_ms p.pb.gz cpu 'zz_work$')" "$out" 10 "work in wall mode" 20
