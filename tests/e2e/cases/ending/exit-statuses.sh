#!/bin/bash
# Every way to end (exit N, exit!, abort, raise, a signal, exit in at_exit, command not found)
# gives the status that the shell would give. (rbspy/rbspy#150, benfred/py-spy#356,
# adsr/phpspy#158: A test suite run under the profiler in CI goes green although it failed,
# because the profiler returns its own status.)
. "$(dirname "$0")/../../lib.sh"
t() { # expected, ruby code
  rp record -o "$P" -- "$RUBY" -e "$2" >/dev/null 2>&1; local rc=$?
  [ $rc = "$1" ] || fail "$2: status $rc, expected $1"; }
t 0 'exit'; t 7 'exit 7'; t 5 'exit!(5)'; t 1 'abort "x"'; t 1 'raise "x"'
t 3 'at_exit { exit 3 }; raise "x"'; t 143 'Process.kill(:TERM, $$); sleep 2'
t 137 'Process.kill(:KILL, $$); sleep 2'; t 130 'Process.kill(:INT, $$); sleep 2'; t 129 'trap(:HUP, "SYSTEM_DEFAULT"); Process.kill(:HUP, $$); sleep 2'
have "$P"
rp record -o "$P" -- "$OUT/no-such-program" >/dev/null 2>&1; rc=$?; [ $rc = 127 ] || fail "missing command: status $rc, expected 127"
