#!/usr/bin/env bash
# check_names.sh ROOT : no type of our own ends in _t (POSIX reserves those names), and no note
# to ourselves is left in the text.
set -eu
. "$(dirname "$0")/check_lib.sh"
cd "$1"
mapfile -t files < <(our_files . '*.c' '*.h' '*.y' '*.l')
status=0
if grep -nE '^[[:space:]]*typedef[^;]*[^[:alnum:]_][[:alnum:]_]+_t[[:space:]]*(\[[^]]*\])?;|^}[[:space:]]*[[:alnum:]_]+_t;|(struct|enum|union)[[:space:]]+[[:alnum:]_]+_t[[:space:]]*\{' "${files[@]}"; then
    echo "types that end in _t belong to POSIX"
    status=1
fi
mapfile -t all < <(our_files . '*.c' '*.h' '*.y' '*.l' '*.sh' '*.md' '*.cmake' 'CMakeLists.txt')
if grep -nwE 'TO[D]O|FIX[M]E|X[X]X' "${all[@]}"; then
    echo "finish it or write it down in CHANGELOG.md or an issue"
    status=1
fi
((status)) || echo "${#files[@]} files follow the naming rules"
exit $status
