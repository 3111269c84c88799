#!/bin/bash
# A write that fails after the run is one line; status and older file stay, and what was sampled stays in the session,
# which the line names.
# run: once
# leaves: session
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null ||
    skip "cannot mount a small file system here"
echo older >full/p.pb.gz
head -c 1000000 /dev/zero >full/filler 2>/dev/null
rp -o full/p.pb.gz "$RUBY" -e 'i = 0; i += 1 while i < 2_000_000; exit 5' 2>err
status=$? older=$(cat full/p.pb.gz) left=$(ls full | xargs)
umount full
is $status 5 "status"
is "$older" older "the file that was there"
is "$left" "filler p.pb.gz" "left in the folder"
is "$(grep -c '^rperf: .*p.pb.gz' err)" 1 "lines of message: $(cat err)"
kept=$(sed -n 's/^rperf: .*; it can be had from \([^:]*\): rperf-run recover$/\1/p' err)
[ -n "$kept" ] && [ -n "$(ls "$kept"/*.store)" ] || fail "the samples were not kept: $(cat err)"

preload env RPERF_OUTPUT=/dev/full "$RUBY" -e 'exit 6' 2>err
is $? 6 "status without the launcher"
kept=$(sed -n 's/^rperf: .*; it can be had from \([^:]*\): rperf-run recover$/\1/p' err)
[ -n "$kept" ] && [ -n "$(ls "$kept"/*.store)" ] || fail "the samples were not kept: $(cat err)"
