#!/usr/bin/env bash
# test_install.sh BUILD CMAKE : install into a fresh prefix; what is there works from there.
set -eu
build=$1 cmake=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

"$cmake" --install "$build" --prefix "$prefix/first" >"$prefix/log" || { cat "$prefix/log"; exit 1; }
mv "$prefix/first" "$prefix/moved"
cd "$prefix/moved"

need() { # file or pattern
    compgen -G "$1" >/dev/null || { echo "not installed: $1"; find . -type f; exit 1; }
}
need bin/bespoke
need 'share/man/man1/bespoke.1*'
need 'share/man/man1/bespoke-info.1*'
need share/bespoke/vlts_bench/import.sh
need share/bespoke/mcl/standard.mcl
need share/bespoke/mcl/actl.mcl
need share/bespoke/mcl/ctl.mcl
need share/doc/bespoke/LICENSE
need share/doc/bespoke/CHANGELOG.md
need share/doc/bespoke/SURROGATES.md
need share/doc/bespoke/NETWORKS.md
need include/bespoke_model.h
need share/doc/bespoke/examples/token_ring.c
[[ $(grep -c import.sh "$prefix/log") == 1 ]] || { echo "import.sh is not installed once"; exit 1; }

version=$(bin/bespoke --version | head -n 1)
echo "installed: $version"
[[ $version == bespoke\ * ]]
for page in share/man/man1/*; do
    command=$(basename "$page" .1)
    grep -q '^\.SH NAME' "$page" || { echo "$page is no man page"; exit 1; }
    name=${command#bespoke}
    name=${name#-}   # bespoke-info is `bespoke info`
    bin/bespoke ${name:+"$name"} --help >/dev/null ||
        { echo "a page for $command, but no such command"; exit 1; }
done
if readelf -d bin/bespoke 2>/dev/null | grep -E 'R(UN)?PATH.*'"$build"; then
    echo "the installed program refers to the build folder"
    exit 1
fi
share/bespoke/vlts_bench/import.sh --help >/dev/null
printf 'des (0, 1, 2)\n(0, "a", 1)\n' >x.aut
bin/bespoke info x.aut
if command -v cc >/dev/null; then
    cc -shared -fPIC -I include -o ring.so share/doc/bespoke/examples/token_ring.c
    bin/bespoke explore ring.so --model-arg 4 | grep -x 'states  *64'
fi
