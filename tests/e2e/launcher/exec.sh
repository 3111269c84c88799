#!/bin/bash
# --exec: no launcher stays, the program writes the file itself.
# run: once
. "$(dirname "$0")/../lib.sh"
rp --exec -o "$P" "$RUBY" -r "$E2E/burn" -e 'File.write("names", File.read("/proc/#{Process.ppid}/comm"))
def zz_app = burn(0.2)
zz_app
exit 4'
is $? 4 status
is "$(cat names)" timeout "the parent is who called the launcher"
have "$P"
near "$(incl "$P" zz_app)" 200 5 zz_app
