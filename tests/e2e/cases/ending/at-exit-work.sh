#!/bin/bash
# Work in at_exit handlers, nested ones and END blocks is in the profile; the status set in a
# handler is kept. (ruby-prof/ruby-prof#240, soutaro/steep#169: Test frameworks run the whole
# suite inside an at_exit handler; a profiler whose own handler runs first writes an empty
# profile.)
# run: jit
. "$(dirname "$0")/../../lib.sh"
rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP"; rc=$?
[ $rc = 3 ] || fail "exit status $rc, expected 3"
have "$P"; lines_ok "$P"
between "$(incl "$P" zz_suite)" 240 560 zz_suite
between "$(incl "$P" zz_nested)" 120 280 zz_nested
between "$(incl "$P" zz_end)" 120 280 zz_end
