#!/usr/bin/env bash
# check_sizes.sh ROOT : functions of at most 60 lines, files of at most 500, headers of 150.
# A function is counted from its opening brace to its closing one, both in the first column,
# without the rows of the tables in it.
set -eu
. "$(dirname "$0")/check_lib.sh"
cd "$1"
mapfile -t files < <(our_files . '*.c' '*.h')
awk -v function_max=60 -v source_max=500 -v header_max=150 '
function complain(place, what, lines, most) {
    print place ": " what " of " lines " lines; at most " most
    bad = 1
}
function end_file() {
    if (file == "") return
    if (file ~ /\.h$/ && length_so_far > header_max)
        complain(file, "header", length_so_far, header_max)
    if (file ~ /\.c$/ && length_so_far > source_max)
        complain(file, "source", length_so_far, source_max)
    if (length_so_far > longest) { longest = length_so_far; longest_file = file }
}
FNR == 1 { end_file(); file = FILENAME; start = 0 }
{ length_so_far = FNR }
/^[a-z].*\) \{ .*\}$/ { seen[1]++; functions++ }
/^\{/ { start = FNR; rows = 0; table = 0 }
/^    \};/ { table = 0 }
table { rows++ }
/^    [^ ].*= \{$/ { table = 1 }
/^\}/ && start {
    lines = FNR - start + 1 - rows
    seen[lines]++
    functions++
    if (lines > function_max) complain(FILENAME ":" start, "function", lines, function_max)
    if (lines > deepest) deepest = lines
    start = 0
}
END {
    end_file()
    for (median = 1; below + seen[median] < functions / 2; median++) below += seen[median]
    printf "%d functions, median %d lines, longest %d; longest file %s, %d lines\n",
           functions, median, deepest, longest_file, longest
    exit bad || functions == 0
}' "${files[@]}" </dev/null
