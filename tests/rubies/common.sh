# common.sh - where the Rubies of the matrix are; sourced by setup and list.

if [ -n "${RPERF_RUBIES_CACHE:-}" ]; then
    cache=$RPERF_RUBIES_CACHE
elif [ "$(id -u)" = 0 ]; then
    cache=/var/cache/rperf-rubies
else
    cache=${HOME:?}/.cache/rperf-rubies
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${RPERF_SHARED:-$top/../shared}
