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
(cd "$build" && ctest -j "$(cores)" -L '^(unit|cli)$' -LE '^soak$' >/dev/null) || echo "some tests failed"

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
    /^Lines executed:/ && file !~ /^\// {
        split($0, part, /[:% ]+/)
        share = part[3]; lines = $NF; file_of[file] = share " " lines
    }
    END {
        for (f in file_of) {
            split(file_of[f], v, " ")
            printf "%6.1f %% of %4d  %s\n", v[1], v[2], f
            ran += v[1] * v[2] / 100; all += v[2]
        }
        printf "%6.1f %% of %4d  in all\n", 100 * ran / all, all
    }' log | sort -n
