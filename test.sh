#!/usr/bin/env bash
# test.sh - set up, build and test everything; ends with the line "N passed, N failed".
set -u
usage='usage: ./test.sh [--quick] [--soak]

  (nothing)   release, sanitizers, the second compiler and MPI; some minutes
  --quick     the release build and its tests only
  --soak      also the tests that take long (every surrogate at full size, ...)

Missing Debian packages are installed first, as root or with sudo.  Logs: build/logs.
Exit status: 0 all passed, 1 something failed, 2 packages are missing or wrong usage.'

root=$(cd "$(dirname "$0")" && pwd) || exit 4
cd "$root" || exit 4
. scripts/packages.sh
. scripts/steps.sh

quick=false soak=false
for argument in "$@"; do
    case $argument in
    --quick) quick=true ;;
    --soak) soak=true ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
done

logs=build/logs
passed=0 failed=0 skipped=0 failures=()

fail() { # name
    failed=$((failed + 1))
    failures+=("$1")
}

# build PRESET [TARGET...] : configure and build; only what changed is built again.
build() {
    local preset=$1
    shift
    say "$preset: configure and build (log: $logs/$preset.build)"
    quietly "$logs/$preset.configure" cmake --preset "$preset" &&
        quietly "$logs/$preset.build" cmake --build "build/$preset" -j "$(cores)" ${1:+--target "$@"}
}

# What a preset leaves out: other libraries below make no difference to the long tests.
left_out() { # preset
    local labels=''
    $soak || labels=soak
    case $1 in openmpi | minimal) labels=${labels:+$labels|}long ;; esac
    echo "$labels"
}

# run_tests PRESET LABELS : run the tests with these labels (a pattern; empty = all) and count them.
run_tests() {
    local report=$root/$logs/$1.xml log=$logs/$1.tests counted=$logs/$1.counted from=() without
    without=$(left_out "$1")
    [[ -z $2 ]] || from+=(-L "$2")
    [[ -z $without ]] || from+=(-LE "^($without)\$")
    rm -f "$report"
    say "$1: tests (log: $log)"
    (cd "build/$1" && ctest -j "$(cores)" --output-on-failure --output-junit "$report" "${from[@]}") \
        >"$log" 2>&1 </dev/null
    if ! scripts/count_tests.sh "$report" >"$counted" || [[ ! -s $counted ]]; then
        tail -n 20 "$log"
        fail "$1: ctest ran nothing"
        return
    fi
    local good=0 bad=0 idle=0 verdict name
    while read -r verdict name; do
        case $verdict in
        passed) good=$((good + 1)) ;;
        skipped) idle=$((idle + 1)) ;;
        *) bad=$((bad + 1)); fail "$1: $name" ;;
        esac
    done <"$counted"
    passed=$((passed + good)) skipped=$((skipped + idle))
    if ((bad > 0)); then sed '/tests passed, /,$d' "$log" | grep -vE ' Passed |^ +Start '; fi
    show_skipped "$1" "$counted"
    say "$1: $good passed, $bad failed, $idle skipped"
}

# What was not tested, and why: the names, and the lines that the tests themselves print.
show_skipped() { # preset, counted
    sed -n "s/^skipped /    $1: skipped /p" "$2"
    sed -n 's/^skipped: \(.*\)/        not tested: \1/p' "build/$1/Testing/Temporary/LastTest.log" | sort -u
}

# step PRESET LABELS [TARGET...] : build, all or some targets, then test.
step() {
    if build "$1" "${@:3}"; then run_tests "$1" "$2"; else fail "$1: build"; fi
}

say "test.sh: packages"
packages_ensure build test
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1   # containers are root

step release ''
if ! $quick; then
    step asan '^(unit|cli|oracle|fuzz|mpi)$'
    step tsan '^(unit|mpi)$'
    step openmpi '^(unit|cli|mpi)$'
    step minimal '^(unit|cli)$'
    step clang '^unit$'
    step fuzz '^libfuzzer$' fuzz_readers fuzz_aut fuzz_plts fuzz_bes fuzz_mcl fuzz_exp
fi

say "done"
for name in "${failures[@]}"; do echo "failed: $name"; done
((skipped == 0)) || echo "$skipped skipped"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
