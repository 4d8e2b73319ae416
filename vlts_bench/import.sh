#!/usr/bin/env bash
# import.sh - check a folder of real VLTS files against the published table and register them.
set -eu
usage='usage: vlts_bench/import.sh DIR

Looks in DIR for NAME.plts, .aut, .aut.gz, .aut.zst, .aut.bz2 or .bcg (the first of these
that is there) of each instance of the VLTS suite, compares it with what is published about
it, and registers the ones that agree: from then on vlts:NAME means this file and no longer a
surrogate.  Registered are links to your files, not copies, in
${XDG_DATA_HOME:-~/.local/share}/bespoke/vlts: DIR must stay where it is.  .bcg needs bcg_io of
CADP on PATH.  Other files in DIR are named and left alone.

The executable is $BESPOKE, or the one this script belongs to (installed, or in build/demo or
build/release of the source), or the one on PATH.
Exit status: 0 all files found agree, 1 one does not, 2 wrong usage or nothing found.'

fail() {
    echo "import.sh: $1" >&2
    exit 2
}

case ${1-} in
-h | --help) echo "$usage"; exit 0 ;;
-*) fail "unknown option $1; see import.sh --help" ;;
esac
if (($# != 1)); then
    echo "$usage" >&2
    exit 2
fi
[[ -d $1 ]] || fail "$1 is no folder"
folder=$(cd "$1" && pwd) || fail "$1 cannot be entered"

find_bespoke() {
    local here near
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    if [[ ${BESPOKE-} ]]; then
        command -v "$BESPOKE" || fail "BESPOKE=$BESPOKE cannot be run"
        return
    fi
    for near in ../build/demo/tools ../build/release/tools ../../../bin; do
        if [[ -x $here/$near/bespoke ]]; then
            echo "$here/$near/bespoke"
            return
        fi
    done
    command -v bespoke || fail "no bespoke on PATH; set BESPOKE to the executable"
}

# The folder of links: XDG says that a relative XDG_DATA_HOME does not count.
find_registry() {
    if [[ ${XDG_DATA_HOME-} == /* ]]; then
        echo "$XDG_DATA_HOME/bespoke/vlts"
    elif [[ ${HOME-} == /* ]]; then
        echo "$HOME/.local/share/bespoke/vlts"
    else
        fail "neither XDG_DATA_HOME nor HOME is set"
    fi
}

bespoke=$(find_bespoke)
registry=$(find_registry)
suffixes=(plts aut aut.gz aut.zst aut.bz2 bcg)
agree=0
found=0

# file_of NAME : the file of an instance, or nothing.
file_of() {
    local suffix
    for suffix in "${suffixes[@]}"; do
        if [[ -e $folder/$1.$suffix ]]; then
            echo "$folder/$1.$suffix"
            return
        fi
    done
}

# register NAME FILE : a link to the file, and to no other one of that name.
register() {
    local suffix
    mkdir -p "$registry"
    for suffix in "${suffixes[@]}"; do rm -f "$registry/$1.$suffix"; done
    ln -s "$2" "$registry/${2##*/}"
}

# forget FILE : a file that was registered and no longer agrees.
forget() {
    local link=$registry/${1##*/}
    if [[ $(readlink "$link") == "$1" ]]; then rm -f "$link"; fi
}

row() { printf '%-18s %-11s %s\n' "$@"; }

# check NAME FILE : one line of the table.
check() {
    local answer message status=0
    message=$(mktemp)
    answer=$("$bespoke" gen vlts "$1" --check "$2" --no-progress 2>"$message") || status=$?
    if ((status == 0)); then
        register "$1" "$2"
        row "$1" real "${2##*/}"
        agree=$((agree + 1))
    elif ((status == 1)); then
        forget "$2"
        row "$1" differs "${answer##*$'\t'}"
    else
        forget "$2"
        row "$1" unreadable "$(head -n 1 "$message")"
    fi
    rm -f "$message"
}

names=$("$bespoke" gen vlts | awk 'NR > 1 { print $1 }')
for name in $names; do
    file=$(file_of "$name")
    [[ $file ]] || continue
    ((found)) || row name result 'file, differing columns or reason'
    found=$((found + 1))
    check "$name" "$file"
done

strangers=""
for file in "$folder"/*; do
    stem=${file##*/}
    stem=${stem%%.*}
    [[ -f $file && $'\n'$names$'\n' != *$'\n'$stem$'\n'* ]] || continue
    strangers+="${strangers:+, }${file##*/}"
done
[[ -z $strangers ]] || echo "not in the suite: $strangers"
((found)) || fail "no file of the VLTS suite in $folder, such as vasy_0_1.aut.gz"
echo "$agree of $found files agree with the table and are registered in $registry"
((agree == found)) || exit 1
