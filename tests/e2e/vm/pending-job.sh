#!/bin/bash
# TERM at any moment, 50 times: a job that is pending when the end proc runs does no harm.
# run: jit
# timeout: 120
. "$(dirname "$0")/../lib.sh"
for i in $(seq 50); do
    rp -f 10000 -o "$P" "$RUBY" --disable-gems -e '
Thread.new { loop { Thread.pass } }
Thread.new { begin; sleep; ensure; 200.times { "x" * 100 }; end }
ObjectSpace.define_finalizer(+"f", proc { 2000.times { |j| j } })
Process.kill(:TERM, $$)
loop { }' 2>err
    is $? 143 "run $i: status: $(grep -m1 BUG err)"
    ! grep -q BUG err || fail "run $i: $(grep -m1 BUG err)"
    have "$P"
    rm "$P"
done
