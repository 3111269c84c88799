#!/bin/bash
# %p, %t, %h and %% in the output name; any other % stays.
# run: once
. "$(dirname "$0")/../lib.sh"
pid=$(rp -o '%p-%h-%%-%x-%t.collapsed' "$RUBY" -e 'print $$') || fail "status $?"
name=$(ls *.collapsed)
[[ $name =~ ^$pid-$(hostname)-%-%x-[0-9]{8}-[0-9]{6}\.collapsed$ ]] || fail "$name"
