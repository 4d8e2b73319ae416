#!/usr/bin/env bash
# The figures of docs/PERFORMANCE.md: loading against the yardstick, as ratios.
#
#     bench/compare.sh [--scale F] [--rounds N] [--yardstick PROGRAM] [--keep] BUILD_DIR
#
# Rounds are interleaved (yardstick, .aut, .plts, .gz, zcat, then again) and medians taken,
# because machines are noisy and drift.  Needs a build with -DBESPOKE_BENCH=ON.
set -euo pipefail

scale=1 rounds=5 keep=no yardstick=''
while [ $# -gt 1 ]; do
    case $1 in
    --scale) scale=$2 && shift 2 ;;
    --rounds) rounds=$2 && shift 2 ;;
    --yardstick) yardstick=$2 && shift 2 ;;
    --keep) keep=yes && shift ;;
    *) echo "compare.sh: unknown option $1" >&2 && exit 2 ;;
    esac
done
build=${1:?usage: bench/compare.sh [--scale F] [--rounds N] BUILD_DIR}
bespoke=$build/tools/bespoke
yardstick=${yardstick:-$build/bench/yardstick_lts}
work=$(mktemp -d "${BESPOKE_BENCH_DIR:-${TMPDIR:-/tmp}}/bespoke-compare-XXXXXX")
model=cwi_7838_59101
if [ "$keep" = yes ]; then echo "files stay in $work"; else trap 'rm -rf "$work"' EXIT; fi

now() { date +%s.%N; }
number() { sed -E "s/.*\"$1\": *([-0-9.e+]+).*/\1/"; } # a number of a JSON line
median() { sort -g | awk '{ a[NR] = $1 } END { printf "%.4f", a[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# Largest anonymous resident memory (MB) and wall time of a command.
watched() {
    local peak=0 kb start
    start=$(now)
    "$@" >"$work/out" 2>/dev/null &
    local pid=$!
    while kb=$(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$kb" ]; do
        [ "$kb" -gt "$peak" ] && peak=$kb
        sleep 0.02
    done
    wait "$pid"
    awk -v p="$peak" -v s="$start" -v e="$(now)" 'BEGIN { printf "%.0f %.2f\n", p / 1000, e - s }'
}

load() { "$bespoke" info --json --no-progress "$1" | number load; }

prepare() { # scale, stem
    local start
    [ -s "$work/$2.aut" ] && return
    start=$(now)
    "$bespoke" gen vlts "$model" --scale "$1" -o "$work/$2.aut" 2>/dev/null
    echo "generated $2.aut: $(stat -c %s "$work/$2.aut") bytes in $(ratio "$(awk -v a="$(now)" -v b="$start" 'BEGIN { print a - b }')" 1) s"
    "$bespoke" convert "$work/$2.aut" "$work/$2.plts"
}

echo "== $model at scale $scale, medians of $rounds"
read -r mb seconds < <(watched "$bespoke" gen vlts "$model" --scale "$scale" -o "$work/full.plts")
echo "generating .plts: $seconds s, at most $mb MB anonymous"
prepare "$scale" full
[ -s "$work/full.aut.gz" ] || gzip -1 -c "$work/full.aut" >"$work/full.aut.gz"
cat "$work"/full.* >/dev/null # into the page cache

rm -f "$work"/times.*
for _ in $(seq "$rounds"); do
    "$yardstick" "$work/full.aut" | awk '{ print $1 + $2 }' >>"$work/times.yard"
    load "$work/full.aut" >>"$work/times.aut"
    load "$work/full.plts" >>"$work/times.plts"
    load "$work/full.aut.gz" >>"$work/times.gz"
    start=$(now) && zcat "$work/full.aut.gz" >/dev/null
    awk -v a="$start" -v b="$(now)" 'BEGIN { print b - a }' >>"$work/times.zcat"
done
for what in yard aut plts gz zcat; do
    printf -v "t_$what" %s "$(median <"$work/times.$what")"
done
# shellcheck disable=SC2154
{
    echo "yardstick parse + rows   $t_yard s"
    echo "load .aut                $t_aut s    $(ratio "$t_aut" "$t_yard") of the yardstick"
    echo "load .plts               $t_plts s    $(ratio "$t_plts" "$t_aut") of .aut"
    echo "load .aut.gz             $t_gz s    $(ratio "$t_gz" "$t_zcat") of zcat ($t_zcat s)"
}

read -r mb _ < <(watched "$bespoke" info --json --no-progress "$work/full.aut")
after=$(number resident_after_load <"$work/out")
counts=$(awk -v n="$(number states <"$work/out")" -v m="$(number transitions <"$work/out")" \
    'BEGIN { printf "%.0f", (8 * n + 8 * m) / 1e6 }')
echo "memory after load        $(awk -v a="$after" 'BEGIN { printf "%.0f", a / 1e6 }') MB of $counts MB allowed (8 bytes per state and transition)"
echo "memory peak              $mb MB of $((2 * counts)) MB allowed (analysis included)"

echo "== linear in size"
for part in 0.01 0.1 1; do
    f=$(awk -v a="$part" -v b="$scale" 'BEGIN { print a * b }')
    stem=part$part
    [ "$part" = 1 ] && stem=full || prepare "$f" "$stem" >/dev/null
    : >"$work/times.part"
    for _ in $(seq "$rounds"); do load "$work/$stem.aut" >>"$work/times.part"; done
    t=$(median <"$work/times.part")
    "$bespoke" info --json --no-progress "$work/$stem.aut" >"$work/out"
    awk -v p="$part" -v t="$t" -v m="$(number transitions <"$work/out")" \
        -v r="$(number resident_after_load <"$work/out")" \
        'BEGIN { printf "%5s of the transitions: %8.4f s, %5.1f ns and %4.1f bytes per transition\n", p, t, t / m * 1e9, r / m }'
done
