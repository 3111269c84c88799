#!/bin/bash
# Usage, version, help: what a person meets first.
# run: once
. "$(dirname "$0")/../lib.sh"
expect 0 rp -h
cp out usage
is "$(grep -cE '^ +rperf-run .*(ruby|rake)' usage)" 3 "examples in the usage: $(cat usage)"
expect 0 rp record -h
cp out usage
for option in -o -f -m --format -p --signal --no-aggregate --snapshot-signal --no-lines --exec \
    --print-env -v -h; do
    says usage "$(sed 's/^/\\/' <<<"$option")"
done
rp >out 2>err
cat out err >both
says both 'rperf-run'
expect 0 rp --version
says out '[0-9]\.[0-9]'
cp out version
expect 0 rp -v
is "$(head -n 1 out)" "$(head -n 1 version)" "-v alone"
