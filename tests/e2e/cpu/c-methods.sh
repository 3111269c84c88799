#!/bin/bash
# Methods written in C get their own time, as leaves, with <C method> as file.
# run: jit
. "$(dirname "$0")/../lib.sh"
out=$(rp -m cpu -o p.pb.gz -- "$RUBY" "$APP") || fail "status $?"
for pair in $out; do
    near "$(flat_ms p.pb.gz cpu "^${pair%=*} <C method>\$" -filefunctions)" "${pair#*=}" 6 \
        "${pair%=*}" 10
done
