#!/bin/bash
# The user's library stays loaded in the app and in its children, first to last.
# (MinoMino/minqlx#10, GafferHQ/gaffer#6645, fullstaq-ruby/umbrella#5: Ruby is often run with
# jemalloc preloaded; a launcher that overwrites LD_PRELOAD drops it silently, and memory use
# changes.)
. "$(dirname "$0")/../../lib.sh"
echo 'int zz_mark_preloaded(void){return 1;}' > "$OUT/u.c"
gcc -shared -fPIC -o "$OUT/libzzuser.so" "$OUT/u.c" || skip "no C compiler"
o=$(LD_PRELOAD="$OUT/libzzuser.so" rp record -o "$P" -- "$RUBY" "$APP" 2>"$OUT/err"); rc=$?
[ $rc = 0 ] && [ "$o" = "true true true" ] || fail "user's library loaded (app, fork, ruby child): $o, status $rc"
have "$P"
