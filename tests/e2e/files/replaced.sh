#!/bin/bash
# What stands at the output: files are replaced whole, devices, pipes and links written in place.
# run: once
. "$(dirname "$0")/../lib.sh"
app='i = 0; i += 1 while i < 2_000_000'
echo precious >rperf.data
expect 0 rp "$RUBY" -e "$app"
is "$(cat rperf.data.old)" precious "the default name keeps what was there"
"$E2E/pprof" rperf.data || fail "the new one"
touch real.pb.gz && ln -s real.pb.gz link.pb.gz
expect 0 rp -o link.pb.gz "$RUBY" -e "$app"
[ -L link.pb.gz ] || fail "the link was replaced"
have real.pb.gz
expect 0 rp -o /dev/null "$RUBY" -e "$app"
[ -c /dev/null ] || fail "/dev/null was replaced"
mkfifo fifo.collapsed
cat fifo.collapsed >read & reader=$!
expect 0 rp -o fifo.collapsed "$RUBY" -e "$app"
wait $reader
lines_ok read; [ -s read ] || fail "nothing came through the pipe"
expect 0 rp --format collapsed -o /dev/stdout "$RUBY" -e "$app"
lines_ok out; [ -s out ] || fail "nothing on /dev/stdout"
is "$(ls -A | grep -cvE '^(rperf.data|rperf.data.old|real.pb.gz|link.pb.gz|fifo.collapsed|read|out|err)$')" 0 \
    "left over: $(ls -A | xargs)"
