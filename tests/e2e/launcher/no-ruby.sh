#!/bin/bash
# No Ruby seen: one line, no file, an old one stays; status and output are the command's.
# run: once
. "$(dirname "$0")/../lib.sh"
echo old >rperf.data
expect 3 rp sh -c 'echo hello; exit 3'
is "$(cat out)" hello stdout
is "$(wc -l <err)" 1 "lines of message: $(cat err)"
says err '^rperf: '
is "$(cat rperf.data)" old "the old file"
[ ! -e rperf.data.old ] || fail "the old file was moved"
rm rperf.data # no profile: not for the check of all profiles
