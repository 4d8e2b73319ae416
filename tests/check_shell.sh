#!/usr/bin/env bash
# check_shell.sh ROOT : does every shell script parse, and pass shellcheck where it is there?
set -eu
. "$(dirname "$0")/check_lib.sh"
cd "$1"
mapfile -t files < <(our_files . '*.sh' '.ci/run')
for f in "${files[@]}"; do bash -n "$f" || exit 1; done
if command -v shellcheck >/dev/null; then
    shellcheck -S warning -x -P SCRIPTDIR "${files[@]}"
else
    echo "skipped: no shellcheck on this machine; only parsed"
fi
echo "${#files[@]} scripts are in order"
