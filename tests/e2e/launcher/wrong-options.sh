#!/bin/bash
# Wrong options: one line that says what is wrong and allowed, exit 2, nothing started.
# run: once
. "$(dirname "$0")/../lib.sh"
wrong() { # MESSAGE OPTION...
    local message=$1
    shift
    expect 2 rp "$@" touch ran
    is "$(wc -l <err)" 1 "$*: lines of message"
    grep -qF -- "$message" err || fail "$*: $(cat err), expected: $message"
    grep -q '^rperf: ' err || fail "$*: does not begin with rperf: $(cat err)"
    silent out
    [ ! -e ran ] || fail "$*: the command was run"
}
wrong "frequency must be a positive integer (got 0)" -f 0
wrong "frequency must be a positive integer (got -5)" -f -5
wrong "frequency must be a positive integer (got ten)" -f ten
wrong "frequency must be <= 10000 (10KHz), got 10001" -f 10001
wrong "invalid option: --bogus" --bogus
wrong "cpu" -m bogus
wrong "wall" -m bogus
wrong "collapsed" --format bogus
wrong "KILL" --signal 9
wrong "STOP" --signal 19
wrong "bogus" --snapshot-signal bogus
expect 2 rp -o
expect 2 rp record
says err 'No command specified\.'
expect 2 rp -f 100
says err 'No command specified\.'
