# check_lib.sh - what the checks of the source share; sourced by tests/check_*.sh.
# shellcheck shell=bash

# our_files ROOT PATTERN... : the project's own files that match, below ROOT, one per line.
# In a git tree those are the tracked ones, elsewhere all but what was built.
our_files() {
    local root=$1
    shift
    if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        (cd "$root" && git ls-files -- "$@" | while read -r f; do [[ ! -f $f ]] || echo "$f"; done)
    else
        local p names=()
        for p in "$@"; do names+=(-o -name "$p" -o -path "./$p"); done
        (cd "$root" && find . -type f \( -false "${names[@]}" \) -not -path './build*' \
            -not -path './.git/*' -printf '%P\n' | sort)
    fi
}
