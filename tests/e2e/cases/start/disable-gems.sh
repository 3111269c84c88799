#!/bin/bash
# Profile has the method; `Gem` stays undefined; the user's RUBYOPT arrives unchanged in the app.
# (heroku/heroku-buildpack-ruby#570, ruby-prof/ruby-prof#240: Small scripts run with --disable-
# gems or their own RUBYOPT; a profiler that comes in through RUBYOPT or needs RubyGems changes or
# loses them.)
. "$(dirname "$0")/../../lib.sh"
for o in --disable-gems --disable=gems,rubyopt,did_you_mean; do
  r=$(T=6 RUBYOPT=-W0 rp record -m cpu -f 1000 -o "$P" -- "$RUBY" $o "$APP" 2>"$OUT/err"); rc=$?
  [ $rc = 4 ] || fail "$o: exit status $rc, expected 4: $(head -c 120 "$OUT/err")"
  [ "$r" = "nil -W0" ] || fail "$o: app saw Gem, RUBYOPT: $r, expected: nil -W0"
  have "$P"; between "$(incl "$P" zz_app)" 180 420 "$o: zz_app"; rm "$P"
done
