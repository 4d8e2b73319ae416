# steps.sh - how demo.sh and test.sh talk: numbered steps with timings.
# shellcheck shell=bash

steps_started=$(date +%s.%N)

# seconds_since START : with one decimal.
seconds_since() { awk -v now="$(date +%s.%N)" -v then="$1" 'BEGIN { printf "%.1f", now - then }'; }

# say TEXT... : a line of its own, with the time since the start.
say() { printf '[%6s s] %s\n' "$(seconds_since "$steps_started")" "$*"; }

# cores : how many jobs make sense here.
cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# quietly LOG COMMAND... : run a command into a log; if it fails, show the log's end.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
    echo "failed: $*"
    echo "the end of $log:"
    tail -n 40 "$log" | sed 's/^/    /'
    return 1
}
