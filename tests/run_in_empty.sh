#!/usr/bin/env bash
# run_in_empty.sh FOLDER COMMAND... : run a command in a fresh, empty folder.
set -eu
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
exec "$@"
