#!/bin/bash
# The child works and sees no LD_PRELOAD or RPERF variable; nothing on stderr; the parent's
# profile is complete. (rizsotto/Bear#609, rubycdp/ferrum#269, rofl0r/proxychains-ng#128: Apps
# that start children with unsetenv_others (or nil for LD_PRELOAD) want exactly that environment;
# a library that injects its own variables, or children that break without them, are surprises.)
. "$(dirname "$0")/../../lib.sh"
o=$(rp record -m cpu -f 1000 -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
[ $rc = 0 ] || fail "exit status $rc"
[ "$o" = "42 [] 5" ] || fail "child saw or did: $o, expected: 42 [] 5"
grep -vi '^\[\?rperf' "$OUT/err" | grep -q . && fail "stderr: $(head -c 200 "$OUT/err")"
have "$P"; between "$(incl "$P" zz_parent)" 180 420 zz_parent
