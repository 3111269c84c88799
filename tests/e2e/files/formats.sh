#!/bin/bash
# The format is that of the extension, or of --format; -p prints instead.
# run: once
. "$(dirname "$0")/../lib.sh"
app='puts "own"; i = 0; i += 1 while i < 3_000_000'
expect 0 rp -o a.collapsed "$RUBY" -e "$app"
lines_ok a.collapsed
expect 0 rp -o a.txt "$RUBY" -e "$app"
says a.txt '^Total: .*(cpu)$'; says a.txt '^Samples: .*Frequency: 1000Hz'
says a.txt '^ Flat:'; says a.txt '^ Cumulative:'
expect 0 rp -o a.odd --format collapsed "$RUBY" -e "$app"
lines_ok a.odd
expect 0 rp -o a.whatever "$RUBY" -e "$app"
"$E2E/pprof" a.whatever || fail "anything else is pprof"
expect 0 rp "$RUBY" -e "$app"
have rperf.data
silent err
rm rperf.data
expect 0 rp -p "$RUBY" -e "$app"
is "$(head -n 1 out)" own "the program's own output comes first"
says out '^ Flat:'
[ ! -e rperf.data ] || fail "-p wrote a file"
expect 0 rp -p -o b.pb.gz "$RUBY" -e "$app"
says out '^ Flat:'; have b.pb.gz
expect 0 rp -f 1 -o c.txt "$RUBY" --disable-gems -e ''
[ -s c.txt ] || fail "no text of a short program"
