#!/bin/bash
# A recursive method counts once per stack; blocks of a method come back as the method.
# run: jit
. "$(dirname "$0")/../lib.sh"
used=$(rp -m cpu -o p.pb.gz -- "$RUBY" -r "$E2E/measure" -e '
def zz_fib(n) = n < 2 ? n : zz_fib(n - 1) + zz_fib(n - 2)
def zz_blocks = [1].each { [1].each { burn(0.1) } }
started = cpu_ms
zz_fib(27)
zz_blocks
puts((cpu_ms - started).round)') || fail "status $?"
near "$(cum_ms p.pb.gz cpu 'zz_(fib|blocks)$')" "$used" 3 "cumulative"
rp -m cpu -o p.txt -- "$RUBY" -r "$E2E/burn" -e 'def zz_r(n) = n.zero? ? burn(0.2) : zz_r(n - 1)
zz_r(50)' || fail "text: status $?"
sed -n '/Cumulative:/,$p' p.txt | grep zz_r | grep -vqE ' (1?[0-9]?[0-9])\.[0-9]%' &&
    fail "more than 100 %: $(grep zz_r p.txt)"
is "$(sed -n '/Cumulative:/,$p' p.txt | grep -c zz_r)" 1 "lines of one method"
