#!/bin/bash
# sh, env, git, perl under the preload behave as if we were not there.
# run: once
. "$(dirname "$0")/../lib.sh"
cat >script <<'SH'
echo out; echo err >&2; env | grep -v -e LD_PRELOAD -e RPERF -e '^_=' | sort; ls /proc/self/fd
git --version; perl -e 'print "perl\n"'; (exit 9); echo $?; trap; kill -TERM $$
SH
sh script >without 2>&1
expected=$?
rp sh script >with 2>&1
is $? $expected status
# bash itself may say how a program of the test ended
grep -v -e '^rperf: ' -e 'Terminated' with >with.own
sed -i '/Terminated/d' without
cmp -s without with.own || fail "differs: $(diff without with.own | head -n 4)"
