#!/bin/bash
# The time before the program is in the profile: -r files; RubyGems where libruby is shared.
. "$(dirname "$0")/../lib.sh"
printf 'require "%s/burn"\ndef zz_required = burn(0.2)\nzz_required\n' "$E2E" >early.rb
rp -m cpu -o "$P" -- "$RUBY" -r "$OUT/early.rb" -e 'sleep 0.01' || fail "status $?"
near "$(incl "$P" zz_required)" 200 3 "a file of -r" 6
