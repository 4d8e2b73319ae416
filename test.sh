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

# build PRESET : configure and build; only what changed is built again.
build() {
    say "$1: configure and build (log: $logs/$1.build)"
    quietly "$logs/$1.configure" cmake --preset "$1" &&
        quietly "$logs/$1.build" cmake --build "build/$1" -j "$(cores)"
}

# attribute NAME FILE : a number in the first element of a JUnit file.
attribute() { sed -nE "0,/<testsuite /s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p;/[[:space:]]$1=\"/q" "$2"; }

# run_tests PRESET [LABELS] : run the tests, those with these labels (a pattern), and count them.
run_tests() {
    local report=$root/$logs/$1.xml log=$logs/$1.tests from=()
    [[ -z ${2-} ]] || from+=(-L "$2")
    $soak || from+=(-LE '^soak$')
    rm -f "$report"
    say "$1: tests (log: $log)"
    (cd "build/$1" && ctest -j "$(cores)" --output-on-failure --output-junit "$report" "${from[@]}") \
        >"$log" 2>&1 </dev/null
    if [[ ! -f $report ]]; then
        tail -n 20 "$log"
        fail "$1: ctest did not run"
        return
    fi
    local all bad idle
    all=$(attribute tests "$report") bad=$(attribute failures "$report")
    idle=$(($(attribute skipped "$report") + $(attribute disabled "$report")))
    ((all > 0)) || fail "$1: no tests"
    passed=$((passed + all - bad - idle)) skipped=$((skipped + idle))
    # ctest's own list: "  7 - unit.aut (Failed)"
    while read -r name; do fail "$1: $name"; done < <(
        sed -n '/^The following tests FAILED:/,$s/^[[:space:]]*[0-9]* - \(.*\)/\1/p' "$log" | sort -u)
    if ((bad > 0)); then sed -n '1,/tests passed, /p' "$log" | grep -v ' Passed '; fi
    show_skipped "$1" "$log"
    say "$1: $((all - bad - idle)) passed, $bad failed, $idle skipped"
}

# What was not tested, and why: ctest's list and the lines the tests themselves print.
show_skipped() { # preset, log
    sed -n '/^The following tests did not run:/,/^$/s/^[[:space:]]*[0-9]* - \(.*\)/\1/p' "$2" |
        while read -r line; do echo "    $1: $line"; done
    grep -hE '^skipped:' "build/$1/Testing/Temporary/LastTest.log" | sort -u |
        while read -r line; do echo "    $1: $line"; done
}

# step PRESET [LABELS] : build, then test.
step() {
    if build "$1"; then run_tests "$@"; else fail "$1: build"; fi
}

say "test.sh: packages"
packages_ensure build test
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1   # containers are root

step release
if ! $quick; then
    step asan '^(unit|cli|fuzz)$'
    step tsan '^unit$'
    step openmpi '^(unit|cli)$'
    step minimal '^(unit|cli)$'
    step clang '^unit$'
fi

say "done"
for name in "${failures[@]}"; do echo "failed: $name"; done
((skipped == 0)) || echo "$skipped skipped"
echo "$passed passed, $failed failed"
((failed == 0))
