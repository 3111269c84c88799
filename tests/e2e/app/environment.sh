#!/bin/bash
# The program sees its own environment, descriptors, threads and RUBYOPT.
# run: jit
. "$(dirname "$0")/../lib.sh"
cat >app.rb <<'RUBY'
hide = ENV.keys.grep(/\ARPERF_|\ALD_PRELOAD\z/)
puts (ENV.to_h.reject { |k, _| hide.include?(k) }).sort.inspect
puts Thread.list.size, $0, ARGV.inspect, $PROGRAM_NAME, Process.getpgrp == Process.getpgid(Process.ppid)
puts ObjectSpace.each_object(Module).count { |m| m.name.to_s =~ /rperf/i && m.name != "Rperf" }
puts `ls -l /proc/self/fd`.scan(/(\d+) ->/).flatten.map(&:to_i).select { |n| n < 3 }.inspect
puts IO.popen(["ls", "/proc/self/fd"], &:read).split.size
puts Signal.list.keys.reject { |s| %w[EXIT KILL STOP VTALRM CHLD CLD SEGV BUS ILL FPE].include?(s) }
  .map { |s| begin trap(s, "SYSTEM_DEFAULT").inspect rescue ArgumentError; "reserved" end }.inspect
RUBY
for options in "" "-W0"; do
    RUBYOPT=$options plain "$RUBY" app.rb a "b c" >without 2>&1 || fail "without: $?"
    RUBYOPT=$options rp -o "$P" "$RUBY" app.rb a "b c" >with 2>&1 || fail "with: $?: $(head -c 200 with)"
    cmp -s without with || fail "RUBYOPT=$options: $(diff without with | cut -c 1-250 | head -n 4)"
done
(unset RUBYOPT; rp -o "$P" "$RUBY" -e 'p ENV["RUBYOPT"]' >with) || fail "status $?"
is "$(cat with)" nil "RUBYOPT that was not set"
