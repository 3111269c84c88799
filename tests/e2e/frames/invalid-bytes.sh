#!/bin/bash
# Method and file names that are not UTF-8 give valid profiles in every format.
. "$(dirname "$0")/../lib.sh"
cat >app.rb <<'RUBY'
require "BURN"
eval("class Foo; def zz_good = burn(0.1); end", TOPLEVEL_BINDING, "bad\xFF;\nfile.rb")
eval("# encoding: iso-8859-1\nclass Foo; def zz_b\xE9d = burn(0.1); end".b, TOPLEVEL_BINDING)
Foo.new.zz_good
Foo.new.send("zz_b\xE9d".dup.force_encoding("iso-8859-1"))
RUBY
sed -i "s,BURN,$E2E/burn," app.rb
for name in p.pb.gz p.collapsed p.txt; do
    rp -m cpu -o $name -- "$RUBY" app.rb 2>err || fail "$name: status $?: $(cat err)"
    have $name
done
lines_ok p.collapsed
iconv -f UTF-8 -t UTF-8 p.collapsed p.txt >/dev/null || fail "text that is not UTF-8"
near "$(incl p.collapsed zz_good)" 100 5 zz_good 6
near "$(incl p.collapsed zz_b)" 100 5 "the name that is not UTF-8" 6
