#!/bin/bash
# -v prints the statistics of the sampling; otherwise stderr is silent.
# run: once
. "$(dirname "$0")/../lib.sh"
expect 0 rp -o "$P" "$RUBY" -r "$E2E/burn" -e 'burn(0.2)'
silent err; silent out
expect 0 rp -v -m wall -f 500 -o "$P" "$RUBY" -r "$E2E/burn" -e 'def zz_v = burn(0.2)
zz_v'
silent out
grep -v '^rperf: ' err | grep -q . && fail "a line that is not ours: $(grep -v '^rperf: ' err | head -n 1)"
says err wall; says err 500; says err zz_v; says err '[Ff]lat'; says err 'by cum'
says err '[Ss]ample'
