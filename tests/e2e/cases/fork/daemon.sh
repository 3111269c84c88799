#!/bin/bash
# The launcher returns at once with 0; after the daemon ends, its method is in a profile at the
# given name (or NAME with a suffix) with 60-140% of its time. (DataDog/dd-trace-rb#2150,
# gperftools/gperftools#1475: A server started with -d calls Process.daemon, which forks inside
# libc (not through the fork() a preload library wraps): the profiler stays behind in the parent
# and the profile is empty.)
. "$(dirname "$0")/../../lib.sh"
export MARK=$OUT/mark
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" >/dev/null 2>&1 </dev/null; rc=$?
[ $rc = 0 ] || fail "exit status $rc"
waitfile "$MARK" 6 || fail "the daemon never finished"
for i in $(seq 30); do
  for f in "$OUT"/p*; do [ -s "$f" ] && s=$(incl "$f" zz_daemon_work) && [ "$s" -ge 300 ] && [ "$s" -le 700 ] && exit 0; done
  sleep .1
done
fail "no profile holds the daemon's work: $(ls "$OUT" | tr '\n' ' ')"
