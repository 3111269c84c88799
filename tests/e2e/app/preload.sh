#!/bin/bash
# The library without the launcher: same settings, rperf.data in the folder at start.
. "$(dirname "$0")/../lib.sh"
app='Dir.chdir("/"); def zz_app = burn(0.2)
zz_app
exit 3'
expect 3 preload "$RUBY" -r "$E2E/burn" -e "$app"
silent err
"$E2E/pprof" rperf.data || fail "rperf.data"
near "$(cum_ms rperf.data cpu zz_app)" 200 5 zz_app 6
RPERF_OUTPUT=w.collapsed RPERF_MODE=wall RPERF_FREQUENCY=200 expect 3 preload "$RUBY" -r "$E2E/burn" -e "$app"
have w.collapsed; lines_ok w.collapsed
RPERF_ENABLED=0 RPERF_OUTPUT=none.data expect 3 preload "$RUBY" -r "$E2E/burn" -e "$app"
[ ! -e none.data ] || fail "RPERF_ENABLED=0 wrote a file"
expect 0 preload sh -c 'true'
silent err
