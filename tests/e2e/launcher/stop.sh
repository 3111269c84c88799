#!/bin/bash
# It stops and continues with the command.
# run: once
. "$(dirname "$0")/../lib.sh"
"$RPERF_RUN" -m wall -o "$P" "$RUBY" -e 'File.write("pid", $$); sleep 2.5' & launcher=$!
waitfile pid || fail "did not start"
state() { sed 's/.*) //' "/proc/$1/stat" | cut -c 1; }
kill -TSTP "$(cat pid)"
for i in $(seq 40); do [ "$(state $launcher)" = T ] && break; sleep .05; done
is "$(state $launcher)" T "the launcher, when the command has stopped"
kill -CONT $launcher
for i in $(seq 40); do [ "$(state "$(cat pid)")" != T ] && break; sleep .05; done
[ "$(state "$(cat pid)")" != T ] || fail "the command did not go on"
wait $launcher
is $? 0 status
