#!/usr/bin/env bash
# coverage.sh : build with counters, run the unit tests and those of the tool, and print which
# share of the lines of each file ran.  --missing FILE shows the lines that did not.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/steps.sh"
cd "$root"
build=$root/build/coverage

quietly build/logs/coverage.configure cmake --preset coverage
quietly build/logs/coverage.build cmake --build "$build" -j "$(cores)"
find "$build" -name '*.gcda' -delete
(cd "$build" && ctest -j "$(cores)" -L '^(unit|cli|oracle)$' >"$root/build/logs/coverage.tests" 2>&1) ||
    echo "some tests failed: see build/logs/coverage.tests"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
find "$build" -name '*.gcda' -not -path '*/tests/*' -exec gcov -p {} + >log 2>/dev/null

if [[ ${1-} == --missing ]]; then
    # gcov -p writes slashes as #.
    sed -n '/^ *#####:/p' "${root//\//#}#${2//\//#}.gcov"
    exit
fi
awk -v root="$root/" '
    /^File / { file = substr($0, 7, length($0) - 7); sub(root, "", file) }
    /^Lines executed:/ && file != "" {   # the last one, without a file, is the sum
        split($0, part, /[:% ]+/)
        if (file !~ /^\// && part[3] >= share[file]) {   # a header is seen from many sources
            share[file] = part[3]
            lines[file] = $NF
        }
        file = ""
    }
    END {
        for (f in share) {
            printf "%6.1f %% of %4d  %s\n", share[f], lines[f], f
            ran += share[f] * lines[f] / 100
            all += lines[f]
        }
        printf "%6.1f %% of %4d  in all\n", 100 * ran / all, all
    }' log | sort -n
