#!/usr/bin/env bash
# Solving against the yardstick's prefetching search of the same graph, as ratios.
#
#     bench/compare_solve.sh [--scale F] [--rounds N] [--yardstick PROGRAM] BUILD_DIR
#
# Rounds are interleaved (yardstick, then every question), each run a process of its own, and
# medians taken; bench/solve_ratio does the same within one process.
set -euo pipefail

scale=1 rounds=5 yardstick=''
while [ $# -gt 1 ]; do
    case $1 in
    --scale) scale=$2 && shift 2 ;;
    --rounds) rounds=$2 && shift 2 ;;
    --yardstick) yardstick=$2 && shift 2 ;;
    *) echo "compare_solve.sh: unknown option $1" >&2 && exit 2 ;;
    esac
done
build=${1:?usage: bench/compare_solve.sh [--scale F] [--rounds N] [--yardstick PROGRAM] BUILD_DIR}
bespoke=$build/tools/bespoke
yardstick=${yardstick:-$build/bench/yardstick_lts}
work=$(mktemp -d "${BESPOKE_BENCH_DIR:-${TMPDIR:-/tmp}}/bespoke-solve-XXXXXX")
trap 'rm -rf "$work"' EXIT
model=cwi_7838_59101

number() { sed -E "s/.*\"$1\": *([-0-9.e+]+).*/\1/"; } # a number of a JSON line
median() { sort -g | awk '{ a[NR] = $1 } END { printf "%.4f", a[int((NR + 1) / 2)] }'; }

names=("deadlock free, auto" "deadlock free, a4" "deadlock free, a2" "deadlock free, a1" "livelock, auto")
free='[ true* ] < true > true'
ask() { # index
    case $1 in
    0) "$bespoke" check -f "$free" --json --no-progress "$work/m.aut" ;;
    1) "$bespoke" check -f "$free" --algorithm a4 --json --no-progress "$work/m.aut" ;;
    2) "$bespoke" check -f "$free" --algorithm a2 --json --no-progress "$work/m.aut" ;;
    3) "$bespoke" check -f "$free" --algorithm a1 --json --no-progress "$work/m.aut" ;;
    4) "$bespoke" livelock --json --no-progress "$work/m.aut" ;;
    esac 2>/dev/null
}

echo "== $model at scale $scale, medians of $rounds"
"$bespoke" gen vlts "$model" --scale "$scale" -o "$work/m.aut" 2>/dev/null
for _ in $(seq "$rounds"); do
    "$yardstick" "$work/m.aut" | awk '{ print $4 }' >>"$work/times.yard"
    for i in "${!names[@]}"; do
        ask "$i" >"$work/out" || true # FALSE is status 1
        number solve <"$work/out" >>"$work/times.$i"
        number encode <"$work/out" >>"$work/encode.$i"
    done
done
yard=$(median <"$work/times.yard")
printf '%-22s %8.4f s\n' 'search, prefetching' "$yard"
for i in "${!names[@]}"; do
    printf '%-22s %8.4f s  %6.2f of the search, encoding %7.3f ms\n' "${names[$i]}" \
        "$(median <"$work/times.$i")" \
        "$(awk -v a="$(median <"$work/times.$i")" -v b="$yard" 'BEGIN { print a / b }')" \
        "$(awk -v a="$(sort -g "$work/encode.$i" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }')" 'BEGIN { print a * 1000 }')"
done
