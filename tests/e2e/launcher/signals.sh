#!/bin/bash
# Every catchable signal that a process sends to the launcher reaches the command.
# run: once
. "$(dirname "$0")/../lib.sh"
for name in HUP INT QUIT TERM USR1 WINCH CONT PIPE ALRM; do
    rm -f ready
    "$RPERF_RUN" -o "$P" --snapshot-signal none "$RUBY" -e "trap('$name') { puts 'got'; exit 9 }
File.write('ready', 'x'); sleep 8" >out 2>err & launcher=$!
    waitfile ready || fail "did not start: $(cat err)"
    kill -$name $launcher
    wait $launcher
    is $? 9 "$name: status"
    is "$(cat out)" got "$name: handler"
done
for pair in TERM:143 HUP:129 INT:130 KILL:137; do
    expect "${pair#*:}" rp -o "$P" "$RUBY" -e "Process.kill(:${pair%:*}, \$\$); sleep 5"
done
