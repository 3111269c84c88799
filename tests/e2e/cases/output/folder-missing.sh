#!/bin/bash
# Either refused at the start (status not 0, app not run) or the app runs untouched and keeps its
# status; both with a message on stderr that names the path. (ruby-prof/ruby-prof#149,
# elastic/apm-agent-ruby#1464, async-profiler/async-profiler#830: A mistyped or read-only output
# path is noticed only after an hour of profiling, or the error takes the app down.)
. "$(dirname "$0")/../../lib.sh"
echo x > "$OUT/file"
for o in "$OUT/no/such/dir/p.collapsed" "$OUT/file/p.collapsed"; do
  a=$(rp record -m cpu -o "$o" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
  [ -s "$o" ] && [ $rc = 5 ] && continue
  if [ "$a" = ran ]; then [ $rc = 5 ] || fail "$o: the app's status became $rc"; else [ $rc != 0 ] && [ $rc -lt 124 ] || fail "$o: app not run, status $rc"; fi
  grep -qF "$(dirname "$o")" "$OUT/err" || fail "$o: no message naming the path: $(head -c 120 "$OUT/err")"
done
