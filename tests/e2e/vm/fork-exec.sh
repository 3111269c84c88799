#!/bin/bash
# system, spawn, backticks and popen give their results at 10 kHz.
. "$(dirname "$0")/../lib.sh"
out=$(rp -f 10000 -o "$P" "$RUBY" -r "$E2E/burn" -e '
bad = 0
40.times do
  burn(0.002)
  bad += 1 unless system("true") && `echo x` == "x\n" && IO.popen("echo y", &:read) == "y\n"
  Process.wait(spawn("exit 3"))
  bad += 1 unless $?.exitstatus == 3
end
puts bad') || fail "status $?"
is "$out" 0 "wrong results"
