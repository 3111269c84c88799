#!/bin/bash
# An output that cannot be written is found before the command starts; nothing is run.
# run: once
. "$(dirname "$0")/../lib.sh"
echo x >file
mkdir folder
for output in no/such/p.pb.gz file/p.pb.gz folder; do
    expect 2 rp -o "$output" touch ran
    [ ! -e ran ] || fail "$output: the command was run"
    says err "^rperf: .*${output%%/p.pb.gz}"
    is "$(wc -l <err)" 1 "$output: lines of message"
done
expect 2 rp -o /proc/p.pb.gz touch ran # a folder that lets root in and takes no file
[ ! -e ran ] || fail "/proc: the command was run"
says err '^rperf: cannot write /proc/p.pb.gz'
[ "$(id -u)" = 0 ] && mkdir ro && mount -t tmpfs -o ro none ro 2>/dev/null || exit 0
expect 2 rp -o ro/p.pb.gz touch ran
umount ro
says err '^rperf: .*ro/p.pb.gz.*[Rr]ead-only'
