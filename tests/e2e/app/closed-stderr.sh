#!/bin/bash
# Closed stdin, stdout, stderr: nothing of ours goes into the files of the program.
. "$(dirname "$0")/../lib.sh"
"$RPERF_RUN" -v -o "$P" -- "$RUBY" -r "$E2E/burn" -e '
f = File.open("data", "w")
f.puts "row"
burn(0.2)
f.puts "row"
f.close
exit 5' <&- >&- 2>&-
is $? 5 status
is "$(cat data)" "$(printf 'row\nrow')" "the data of the program"
have "$P"; lines_ok "$P"
