#!/usr/bin/env bash
# test_demo.sh ROOT : clone the repository, run demo.sh there from another folder, twice.
set -eu
root=$(cd "$1" && pwd)
if ! git -C "$root" rev-parse --verify -q HEAD >/dev/null 2>&1; then
    echo "skipped: $root is no git repository, so there is nothing to clone"
    exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git clone -q "$root" "$place/clone"
cd "$place"

fail() {
    echo "$1"
    cat "$place/log"
    exit 1
}
expect() { grep -qE "$1" log || fail "expected a line with: $1"; }
times() { [[ $(grep -cE "$2" log) == "$1" ]] || fail "expected $1 lines with: $2"; }

clone/demo.sh >log 2>&1 </dev/null || fail "demo.sh failed with status $?"
expect 'All packages are installed|packages are missing|no Debian'
expect 'bespoke [0-9]+\.[0-9]+'
models=$(grep -cE '^[a-z0-9_]+ +manifest +[0-9]' log)
((models >= 5)) || fail "expected five models or more"
times "$models" ' found .* equal$'
times 0 'DIFFERS'
expect '^vasy_0_1 +manifest +289 +1224 +0 +2 +no +no +no'
expect 'the same facts after the round trip'
expect ' [0-9]+ states, [0-9]+ transitions explored in .* equal$'
expect ' 10 steps in all: everybody takes one fork'
expect 'Done: 0 differences'
[[ -z $(git -C clone status --porcelain) ]] || fail "demo.sh left files outside build/"
echo "first run: $(tail -n 1 log)"

built=$(stat -c %Y clone/build/demo/tools/bespoke)
mkdir no_network
for tool in apt-get sudo; do   # a second run must not even try
    printf '#!/bin/sh\necho "%s was called"; exit 1\n' $tool >no_network/$tool
    chmod +x no_network/$tool
done
PATH=$PWD/no_network:$PATH clone/demo.sh >log 2>&1 </dev/null || fail "the second run failed"
times 0 'was called'
[[ $(stat -c %Y clone/build/demo/tools/bespoke) == "$built" ]] || fail "the second run built again"
grep -qE 'Building C object' clone/build/demo/build.log && fail "the second run compiled again"
echo "second run: $(tail -n 1 log)"
