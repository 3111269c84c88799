#!/bin/bash
# Names as Ruby says them: Foo#bar, Foo.baz, <main>, blocks, modules, non-ASCII; no addresses.
# run: jit
. "$(dirname "$0")/../lib.sh"
rp -m cpu -f 2000 -o p.pb.gz -- "$RUBY" "$APP" || fail "status $?"
flat p.pb.gz cpu >names
for name in 'Foo#bar$' 'Foo\.baz$' 'Foo::Inner#deep$' 'Mixin#mixed$' '<main>$' 'block in <main>$' \
    '<class:Opened>$' 'Größe#naïve_方法$'; do
    grep -qE -- "^[0-9]+ [0-9]+ $name" names || fail "no $name: $(cut -d' ' -f3- names | xargs)"
done
is "$(grep -c 0x names)" 0 "names with addresses: $(grep -m1 0x names)"
flat p.pb.gz cpu -filefunctions >files
grep -q 'Array#sort <C method>' files || fail "no file <C method>: $(grep sort files | head -n 2)"
pprof -raw p.pb.gz >raw
grep -qE 'Foo#bar .*names.rb:[0-9]+' raw || fail "no file and line of Foo#bar"
