#!/bin/bash
# The generator (0.4 s in its own fiber) and the consumer (0.2 s) each get 60-140%, neither inside
# the other's time. (ruby-prof/ruby-prof#115, ruby-prof/ruby-prof#266: Each fiber has its own
# stack; time is charged to the wrong side of the switch.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" || fail "status $?"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_gen)" 240 560 zz_gen; between "$(incl "$P" zz_consume zz_gen)" 120 280 "zz_consume without the generator"
