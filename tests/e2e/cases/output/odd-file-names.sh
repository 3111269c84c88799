#!/bin/bash
# Collapsed, text and pprof stay valid and each method keeps 60-140% of its 0.1 s; .json.gz
# is written and valid too. (google/pprof#669, grafana/pyroscope#2620,
# brendangregg/FlameGraph#201: Templates are eval-ed under any file name: a semicolon or newline
# splits a stack line, bytes that are not UTF-8 make the whole profile be refused on upload.)
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err" || fail "status $?: $(head -c 120 "$OUT/err")"
have "$P"; lines_ok "$P"; for i in 0 1 2 3 4 5 6; do between "$(incl "$P" zz_f$i)" 55 150 zz_f$i; done
between "$(incl "$P" zz_erb)" 55 150 zz_erb
for e in pb.gz txt; do rp record -m cpu -f 1000 -o "$OUT/p.$e" -- "$RUBY" "$APP" 2>"$OUT/err" || fail "$e: status $?"; done
chk "$OUT/p.pb.gz" zz_f1; [ -s "$OUT/p.txt" ] || fail "no text"
if rp --help | grep -q json; then
  rp record -m cpu -f 1000 -o "$OUT/p.json.gz" -- "$RUBY" "$APP" 2>"$OUT/err" || fail "json.gz: status $?"
  chk "$OUT/p.json.gz" zz_f1
fi
