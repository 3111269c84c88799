#!/bin/bash
# exit in at_exit, abort, uncaught exception, exit in a thread, exit!: status and stderr as without us.
# run: jit
. "$(dirname "$0")/../lib.sh"
for code in 'at_exit { exit 3 }; raise "x"' 'abort "bye"' 'raise ArgumentError, "boom"' \
    'Thread.new { exit 4 }.join; sleep 5' 'exit!(5)' 'at_exit { at_exit { exit 6 } }' \
    'at_exit { raise "late" }' 'Thread.report_on_exception = false; Thread.new { raise "t" }.join' \
    'throw :nothing' 'def f = f
f' '$stderr.close; raise "unheard"' 'ObjectSpace.define_finalizer(+"", proc { puts "final" })' \
    'Thread.new { begin; sleep; ensure; puts "ensured"; end }; sleep 0.05' \
    'Process.kill(:TERM, $$); sleep 5' 'trap(:EXIT) { puts "trapped" }' '__END__' 'syntax error here('; do
    plain "$RUBY" -e "$code" >out.plain 2>err.plain
    without=$?
    rp -f 5000 -o "$P" "$RUBY" -e "$code" >out 2>err
    is $? $without "$code: status"
    cmp -s out out.plain || fail "$code: stdout: $(head -c 100 out)"
    cmp -s err err.plain || fail "$code: stderr: $(diff err.plain err | head -n 3)"
done
