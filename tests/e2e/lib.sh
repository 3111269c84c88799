# lib.sh - what the end-to-end tests share; sourced by each of them.
#
# In the environment (from tests/e2e/run): RPERF_RUN and RPERF_LIB (launcher, library), RUBY (runs
# the Ruby under test), RUBY_NUMBER (its version), RUBY_ROOT ("-" or the folder it runs in), PROBE
# (folder of probe.so), OUT (empty folder, also the working folder), RPERF_TMPDIR (for sessions).
# A test fails by fail or by what it asserts; the last line it prints says why.

: "${RPERF_RUN:?}" "${RUBY:?}" "${OUT:?}"
HERE=$(cd "$(dirname "$0")" && pwd)
APP=$HERE/$(basename "$0" .sh).rb # the program that belongs to the test
E2E=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
T=30                # seconds that a run of the launcher may take
P=$OUT/p.collapsed # the profile that most tests write
ulimit -c 0

fail() {
    printf 'FAIL: %s\n' "$(tr '\n' '/' <<<"$*")"
    exit 1
}

skip() {
    printf 'SKIP: %s\n' "$*"
    exit 77
}

# The launcher, or a program without it, that may not hang.
rp() { timeout -k 2 "$T" "$RPERF_RUN" "$@"; }
plain() { timeout -k 2 "$T" "$@"; }

# preload PROGRAM ARGS: the library without the launcher; settings by env in front of it.
preload() { timeout -k 2 "$T" env "LD_PRELOAD=$RPERF_LIB" "$@"; }

# expect STATUS COMMAND...: runs it; stdout and stderr go to $OUT/out and $OUT/err.
expect() {
    local want=$1 got
    shift
    "$@" >"$OUT/out" 2>"$OUT/err"
    got=$?
    [ "$got" = "$want" ] || fail "exit status $got, expected $want: $(head -c 200 "$OUT/err")"
}

have() { [ -s "$1" ] || fail "no profile at $1: $(head -c 200 "$OUT/err" 2>/dev/null)"; }
is() { [ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"; }
says() { grep -q -- "$2" "$1" || fail "not in ${1##*/}: $2: $(head -c 200 "$1")"; }
silent() { [ ! -s "$1" ] || fail "unexpected in ${1##*/}: $(head -c 200 "$1")"; }

# Milliseconds in stacks of a collapsed file that match a regex (and do not match the second one).
incl() {
    [ -s "$1" ] || { echo 0; return; }
    awk -v re="$2" -v no="${3:-}" '{ s = $0; sub(/ [0-9]+$/, "", s)
        if (s ~ re && (no == "" || s !~ no)) t += $NF } END { printf "%d\n", t / 1e6 }' "$1"
}
total() { incl "$1" .; }

# between VALUE LOW HIGH WHAT: milliseconds.
between() {
    [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || fail "$4: $1 ms, expected $2..$3"
}

# near VALUE EXPECTED PERCENT WHAT [SLACK]: within PERCENT of what is expected, and SLACK (5)
# milliseconds for what lies around the call.
near() {
    local d=$(($2 * $3 / 100 + ${5:-5}))
    between "$1" $(($2 - d)) $(($2 + d)) "$4"
}

# Each "name=milliseconds" that the program measured itself against its method zz_name. With a third
# argument, that percentage instead of 3.
measured() { # FILE "name=ms ..." [PERCENT]
    local pair
    [ -n "$2" ] || fail "the program measured nothing: $(head -c 200 "$OUT/err" 2>/dev/null)"
    for pair in $2; do
        near "$(incl "$1" "zz_${pair%=*}(;|\$)")" "${pair#*=}" "${3:-3}" "zz_${pair%=*}"
    done
}

lines_ok() {
    local line
    line=$(LC_ALL=C grep -anvE '^.+ [0-9]+$' "$1" | head -n 1)
    [ -z "$line" ] || fail "bad collapsed line: ${line:0:120}"
}

# waitfile FILE [SECONDS]: until it is there and not empty.
waitfile() {
    local i
    for ((i = ${2:-10} * 20; i > 0; i--)); do
        [ -s "$1" ] && return
        sleep .05
    done
    return 1
}

# What Go's pprof makes of a profile.
pprof() { go tool pprof -symbolize=none "$@" 2>/dev/null; }

# flat FILE TYPE [OPTION...]: "flat_ns cum_ns name" of every function, as Go's pprof counts.
flat() {
    local file=$1 type=$2
    shift 2
    pprof -top -unit=ns -nodecount=0 -nodefraction=0 -edgefraction=0 -sample_index="$type" "$@" \
        "$file" | awk 'seen { f = $1; c = $4; sub(/ns$/, "", f); sub(/ns$/, "", c)
        $1 = $2 = $3 = $4 = $5 = ""; sub(/^ +/, ""); print f, c, $0 } $1 == "flat" { seen = 1 }'
}

# flat_ms/cum_ms FILE TYPE NAME-REGEX [OPTION...]: milliseconds, summed over the names that match.
flat_ms() { sum_ms 1 "$@"; }
cum_ms() { sum_ms 2 "$@"; }
sum_ms() {
    local column=$1 file=$2 type=$3 re=$4
    shift 4
    flat "$file" "$type" "$@" | awk -v column="$column" -v re="$re" '{ name = $0
        sub(/^[0-9]+ [0-9]+ /, "", name); if (name ~ re) t += $column }
        END { printf "%d\n", t / 1e6 }'
}

# all_ms FILE TYPE [OPTION...]: the whole, filtered by options such as -tagfocus=thread=main.
all_ms() {
    local file=$1 type=$2
    shift 2
    flat_ms "$file" "$type" . "$@"
}

# comments FILE: the comments of a pprof file.
comments() { pprof -comments "$1"; }

# chk FILE [REGEX]: a pprof or .json.gz profile is valid and holds a name that matches.
chk() {
    local wrong
    wrong=$(env -u LD_PRELOAD "${CHECK_RUBY:-$(command -v ruby)}" "$E2E/chk.rb" "$@" 2>&1) ||
        fail "${1##*/}: $(head -n 1 <<<"$wrong")"
}

ver_ge() { [ "$(printf '%s\n' "$1" "$RUBY_NUMBER" | sort -V | head -n 1)" = "$1" ]; }
