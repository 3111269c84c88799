#!/bin/bash
# The application's own handler wins; trap returns what it would without us.
. "$(dirname "$0")/../lib.sh"
cat >app.rb <<'RUBY'
p trap("USR2") { puts "mine" }
Process.kill(:USR2, $$)
sleep 0.1
p trap("USR2", "IGNORE").class
Process.kill(:USR2, $$)
sleep 0.1
puts "end"
RUBY
plain "$RUBY" app.rb >without || fail "without: status $?"
rp -o "$P" "$RUBY" app.rb >with || fail "with: status $?"
cmp -s without with || fail "differs: $(diff without with | xargs)"
is "$(ls | grep -c 'p\.[0-9]*\.[0-9]*\.')" 0 "snapshots"
rp -o "$P" "$RUBY" -e 'trap("USR2", "DEFAULT"); Process.kill(:USR2, $$); sleep 1'
is $? 140 "status after its own DEFAULT"
rp --snapshot-signal none -o "$P" "$RUBY" -e 'Process.kill(:USR2, $$); sleep 1'
is $? 140 "status with --snapshot-signal none"
rp --snapshot-signal USR1 -o "$P" "$RUBY" -e 'Process.kill(:USR1, $$); sleep 0.5' || fail "USR1: $?"
ls | grep -qE '^p\.[0-9]+\.1\.collapsed$' || fail "no snapshot by USR1"
