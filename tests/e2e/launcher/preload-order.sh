#!/bin/bash
# The library comes after what LD_PRELOAD already holds.
# run: once
. "$(dirname "$0")/../lib.sh"
order=$(LD_PRELOAD=libz.so.1 rp -o "$P" "$RUBY" -e 'print ENV["LD_PRELOAD"]') || fail "status $?"
[[ $order =~ ^libz\.so\.1[:\ ].*librperf\.so$ ]] || fail "LD_PRELOAD is $order"
