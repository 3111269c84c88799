#!/bin/bash
# Three forms (a sh shim, an env shebang script, a binstub that execs) all give the app's method.
# (rbspy/rbspy#201, rbspy/rbspy#157: With rbenv or asdf `ruby` is a shell script that execs the
# real one; profilers look at the shell and report that it is not Ruby.)
. "$(dirname "$0")/../../lib.sh"
mkdir "$OUT/bin"; printf '#!/bin/sh\nset -e\nprogram="${0##*/}"\nexec "%s" "$@"\n' "$RUBY" > "$OUT/bin/ruby"; chmod +x "$OUT/bin/ruby"
{ echo '#!/usr/bin/env ruby'; cat "$APP"; } | sed "s,require_relative \"../../burn\",require \"$E2E/burn\"," > "$OUT/bin/tool"; chmod +x "$OUT/bin/tool"
printf '#!/bin/bash\ncd /\nexec env ruby "%s" "$@"\n' "$APP" > "$OUT/bin/binstub"; chmod +x "$OUT/bin/binstub"
export PATH="$OUT/bin:$PATH"
for c in "ruby $APP" tool binstub; do
  rm -f "$P"; rp record -m cpu -f 1000 -o "$P" -- $c; rc=$?
  [ $rc = 4 ] || fail "$c: exit status $rc, expected 4"
  [ -s "$P" ] || fail "$c: no profile"
  between "$(incl "$P" zz_app)" 180 420 "$c: zz_app"
done
