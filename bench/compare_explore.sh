#!/usr/bin/env bash
# Exploring and checking a network on the fly: rates, threads against one, memory per state.
#
#     bench/compare_explore.sh [--n N] [--rounds N] BUILD_DIR
#
# The network is that of N dining philosophers (bespoke gen philosophers).  Rounds are interleaved
# (one thread, two, each question, then again), each run a process of its own, and medians taken.
set -euo pipefail

n=13 rounds=5
while [ $# -gt 1 ]; do
    case $1 in
    --n) n=$2 && shift 2 ;;
    --rounds) rounds=$2 && shift 2 ;;
    *) echo "compare_explore.sh: unknown option $1" >&2 && exit 2 ;;
    esac
done
build=${1:?usage: bench/compare_explore.sh [--n N] [--rounds N] BUILD_DIR}
bespoke=$build/tools/bespoke
work=$(mktemp -d "${BESPOKE_BENCH_DIR:-${TMPDIR:-/tmp}}/bespoke-explore-XXXXXX")
trap 'rm -rf "$work"' EXIT

number() { sed -E "s/.*\"$1\": *([-0-9.e+]+).*/\1/"; } # a number of a JSON line
median() { sort -g | awk '{ a[NR] = $1 } END { printf "%.4f", a[int((NR + 1) / 2)] }'; }
per() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

"$bespoke" gen philosophers --n "$n" --deadlock-free -o "$work/phil.exp" 2>/dev/null
free='[ true* ] < true > true'
early='[ true* . "NONE" ] false'

explore() { "$bespoke" explore "$work/phil.exp" --threads "$1" --json --no-progress 2>/dev/null; }
check() { "$bespoke" check -f "$1" "$work/phil.exp" --json --no-progress 2>/dev/null || true; }

for _ in $(seq "$rounds"); do
    explore 1 >"$work/out" && number explore <"$work/out" >>"$work/times.one"
    explore 2 | number explore >>"$work/times.two"
    check "$free" | number solve >>"$work/times.free"
    check "$early" | number solve >>"$work/times.early"
done
states=$(number states <"$work/out") transitions=$(number transitions <"$work/out")
memory=$(number peak_total <"$work/out")
one=$(median <"$work/times.one") two=$(median <"$work/times.two")
free=$(median <"$work/times.free") early=$(median <"$work/times.early")
echo "== $n philosophers: $states states, $transitions transitions; medians of $rounds"
echo "explore, one thread     $one s   $(per "$transitions" "$(awk -v s="$one" 'BEGIN { print s * 1e6 }')") M transitions/s"
echo "explore, two threads    $two s   $(per "$one" "$two") times one thread"
echo "check, deadlock freedom $free s   $(per "$free" "$one") of exploring"
echo "check, a label          $early s   $(per "$early" "$one") of exploring"
echo "memory                  $(per "$memory" "$states") bytes per state, resident"
