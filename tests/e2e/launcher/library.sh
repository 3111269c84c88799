#!/bin/bash
# The library is found beside the launcher, in ../lib, and behind a path that LD_PRELOAD cannot hold.
# run: once
. "$(dirname "$0")/../lib.sh"
see() {
    rm -f p.pb.gz
    timeout 30 "$1" -o p.pb.gz "$RUBY" -e 'i = 0; i += 1 while i < 3_000_000' 2>err || fail "$1: status $?: $(cat err)"
    have p.pb.gz
    silent err
}
for where in beside "with blank" "with:colon"; do
    mkdir -p "$where"
    cp "$RPERF_RUN" "$RPERF_LIB" "$where"
    see "./$where/rperf-run"
done
mkdir -p tree/bin tree/lib links
cp "$RPERF_RUN" tree/bin; cp "$RPERF_LIB" tree/lib
see tree/bin/rperf-run
ln -s ../tree/bin/rperf-run links/rperf-run
PATH=$OUT/links:$PATH see rperf-run
mkdir alone && cp "$RPERF_RUN" alone
[ -e /usr/local/lib/librperf.so ] && exit 0
timeout 30 alone/rperf-run -o q.pb.gz touch ran 2>err
[ $? != 0 ] && [ ! -e ran ] || fail "without its library it ran the command"
says err '^rperf: .*librperf.so'
