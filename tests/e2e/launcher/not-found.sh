#!/bin/bash
# What is no command of ours is a program; not found is 127, not executable 126.
# run: once
. "$(dirname "$0")/../lib.sh"
expect 127 rp bogus
is "$(cat err)" "rperf: bogus: no such command of rperf-run and no such program" "message"
expect 127 rp record "$OUT/bogus"
expect 127 rp -- bogus
echo x >plain
expect 126 rp ./plain
expect 126 rp /
[ ! -e rperf.data ] || fail "a file was written"
mkdir bin
printf '#!/bin/sh\necho "own $*"\n' >bin/record && chmod +x bin/record
PATH=$OUT/bin:$PATH expect 0 rp -- record x
is "$(cat out)" "own x" "a program that is named like a command"
