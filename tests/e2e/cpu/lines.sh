#!/bin/bash
# A line that calls something gets the time of what it calls, by line number.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o p.pb.gz -- "$RUBY" "$APP") || fail "status $?"
for pair in $out; do
    near "$(cum_ms p.pb.gz cpu "zz_lines .*lines.rb:${pair%=*}\$" -lines)" "${pair#*=}" 3 \
        "line ${pair%=*}"
done
is "$(flat p.pb.gz cpu -lines | grep -cE 'burn.*burn.rb:0?$')" 0 "leaf lines that are 0"
rp -m cpu --no-lines -o none.pb.gz -- "$RUBY" "$APP" >/dev/null || fail "--no-lines: status $?"
is "$(flat none.pb.gz cpu -lines | grep -c 'lines.rb:[1-9]')" 0 "lines in spite of --no-lines"
