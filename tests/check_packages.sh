#!/usr/bin/env bash
# check_packages.sh ROOT : does scripts/packages.sh install what is missing and nothing else, as
# root, with sudo, and without either?  The machine is played by a folder of stand-ins.
set -eu
root=$(cd "$1" && pwd)
machine=$(mktemp -d)
trap 'rm -rf "$machine"' EXIT
failed=0

stand_in() { # name, body
    printf '#!/bin/bash\n%s\n' "$2" >"$machine/$1"
    chmod +x "$machine/$1"
}

# A machine: uid, "sudo" or not, missing packages, and how often apt-get fails at first.
machine() {
    rm -f "$machine"/*
    local tool
    for tool in bash awk paste fold sed env true cat; do ln -s "$(command -v $tool)" "$machine/$tool"; done
    stand_in id "echo $1"
    stand_in dpkg-query "for p in \"\${@:4}\"; do
        case ' $3 ' in *\" \$p \"*) echo \"no package \$p\" >&2 ;; *) echo \"\$p installed\" ;; esac
    done"
    stand_in apt-get "echo \"\$*\" >>$machine/log
        if [[ \$1 == install && \$(grep -c ^install $machine/log) -le $4 ]]; then exit 100; fi"
    ln -s "$(command -v grep)" "$machine/grep"
    if [[ $2 == sudo ]]; then stand_in sudo "[[ \$1 == -n ]] || { echo sudo >>$machine/log; exec \"\$@\"; }"; fi
    : >"$machine/log"
}

expect() { # title, status, pattern of the output, what apt-get and sudo were asked
    local out status=0 log
    out=$(PATH=$machine bash -c ". '$root/scripts/packages.sh'; packages_ensure build test; echo went on" \
        </dev/null 2>&1) || status=$?
    log=$(paste -sd ';' "$machine/log")
    # shellcheck disable=SC2053  # a pattern is wanted
    if [[ $status == "$2" && $out == $3 && $log == "$4" ]]; then return; fi
    printf '%s: status %s, apt-get was asked "%s", and the output was\n%s\n' "$1" "$status" "$log" "$out"
    failed=1
}

apt='install -y --no-install-recommends flex zstd'

machine 0 none '' 0
expect "nothing is missing" 0 'All packages are installed.*went on' ''
machine 1000 none '' 0
expect "nothing is missing, not root" 0 'All packages are installed.*went on' ''
machine 0 none 'flex zstd' 0
expect "root installs the missing ones" 0 '*went on' "$apt"
machine 1000 sudo 'flex zstd' 0
expect "sudo installs the missing ones" 0 '*went on' "sudo;$apt"
machine 1000 none 'flex zstd' 0
expect "neither root nor sudo" 2 "*    apt-get $apt" ''
machine 0 none 'flex zstd' 1
expect "unknown packages: fetch the lists" 0 '*went on' "$apt;update;$apt"
machine 0 none 'flex zstd' 9
expect "no network" 2 "*    apt-get $apt" "$apt;update;$apt"
machine 0 none 'flex zstd' 0
rm "$machine/dpkg-query"
expect "no Debian" 0 '*no Debian*libmpich-dev*went on' ''

((failed)) || echo "every machine as expected"
exit $failed
