#!/usr/bin/env bash
# check_includes.sh ROOT : read every #include line and fail on an edge that the architecture
# forbids.  Each violation is a line file:number: sentence.
set -eu

# folder: the folders it may include; itself always.  This is docs/ARCHITECTURE.md as data:
# core <- dtd <- comm <- algorithms;  core <- lang <- models <- encodings;  comm <- models.
# Tools and experiments bind everything and nothing includes them.
rules='
include:
core:
dtd:         core
comm:        core dtd
lang:        core
models:      include core dtd comm lang
encodings:   core lang models
algorithms:  core dtd comm
vlts_bench:  core lang models
experiments: core dtd comm lang models encodings algorithms vlts_bench
tools:       core dtd comm lang models encodings algorithms vlts_bench experiments
docs:        include
bench:       *
tests:       *
'

# A system header that some files alone may see, and which (a regular expression).
reserved='
mpi.h  ^(comm/comm_mpi[^/]*|bench/yardstick_messages)[.]c$
'

sources() {
    find . -mindepth 2 -type f -regextype posix-extended -regex '.*\.(c|h|cc|cpp|y|l)' \
        -not -path './build*' -not -path './.*/*' -printf '%P\n' | sort
}

cd "$1"
mapfile -t files < <(sources)
awk -v rules="$rules" -v reserved="$reserved" '
BEGIN {
    for (n = split(rules, row, "\n"); n > 0; n--) {
        if (split(row[n], half, ":") < 2) continue
        known[half[1]] = 1
        may[half[1], half[1]] = 1
        for (k = split(half[2], below, " "); k > 0; k--) may[half[1], below[k]] = 1
    }
    for (n = split(reserved, row, "\n"); n > 0; n--)
        if (split(row[n], half, " ") == 2) only[half[1]] = half[2]
}
function complain(sentence) {
    print FILENAME ":" FNR ": " sentence
    bad = 1
}
function check_quoted(header) {
    to = header
    sub("/.*", "", to)
    if (header ~ /\.\./) complain("\"" header "\" climbs out of its folder")
    else if (to != header) {
        if (!((from, to) in may) && !((from, "*") in may))
            complain(from " may not include \"" header "\"")
    } else if ((getline line < (from "/" header)) >= 0)   # what is generated has no folder
        complain("write \"" from "/" header "\": includes name their folder")
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    lines++
    from = FILENAME
    sub("/.*", "", from)
    if (!(from in known)) {
        complain("there is no rule for the folder " from)
        next
    }
    match($0, /[<"][^>"]*[>"]/)
    header = substr($0, RSTART + 1, RLENGTH - 2)
    if (substr($0, RSTART, 1) == "\"") check_quoted(header)
    if (header in only && FILENAME !~ only[header])
        complain("<" header "> belongs to " only[header] " alone")
}
END {
    if (lines == 0) print "no include line found"
    else if (!bad) print lines " include lines, no forbidden edge"
    exit bad || lines == 0
}' "${files[@]}" </dev/null
