#!/usr/bin/env bash
# check_format.sh ROOT : is every C file as clang-format (.clang-format) would write it?
set -eu
. "$(dirname "$0")/check_lib.sh"
cd "$1"
if ! command -v clang-format >/dev/null; then
    echo "skipped: no clang-format on this machine"
    exit 77
fi
mapfile -t files < <(our_files . '*.c' '*.h')
clang-format --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
