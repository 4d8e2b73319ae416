#!/usr/bin/env bash
# demo.sh - set up, build, and show the main job on models made on the spot.
set -eu
usage='usage: ./demo.sh

Installs what building and running need (as root or with sudo), builds a release under
build/demo, generates surrogates of some VLTS models, shows what bespoke info finds in
them beside the published table, converts one to text and back, asks questions whose
answers it proves, explores a network of components beside the formula of its size, and asks again
with several workers.
Under two minutes.
Exit status: 0 done, 1 something differs, 2 packages are missing or wrong usage.'
case ${1-} in
'') ;;
-h | --help) echo "$usage"; exit 0 ;;
*) echo "$usage" >&2; exit 2 ;;
esac

root=$(cd "$(dirname "$0")" && pwd)
. "$root/scripts/packages.sh"
. "$root/scripts/steps.sh"

demo=$root/build/demo
bespoke=$demo/tools/bespoke
files=$demo/files
models=(vasy_0_1 cwi_1_2 vasy_5_9 vasy_8_24 cwi_214_684 vasy_65_2621 cwi_2416_17605)
converted=vasy_65_2621
export XDG_CACHE_HOME=$demo/cache
different=0

say "1. Packages: what building and running need"
packages_ensure build

say "2. Building bespoke in release mode (logs: build/demo/*.log)"
generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
quietly "$demo/configure.log" cmake -S "$root" -B "$demo" "${generator[@]}" -DBESPOKE_TESTS=OFF
quietly "$demo/build.log" cmake --build "$demo" -j "$(cores)"
say "   $("$bespoke" --version | head -n 1)"

# published NAME : its row of the manifest, as: states transitions tau labels dead live det
published() { "$bespoke" gen vlts | awk -v name="$1" '$1 == name { print $2, $3, $4, $5, $8, $9, $10 }'; }

# found FILE : the same columns, as `bespoke info` finds them.
found() {
    "$bespoke" info --json --no-progress "$1" | awk '
        function value(key) {
            match($0, "\"" key "\": *[^,}]*")
            text = substr($0, RSTART, RLENGTH)
            sub(/^[^:]*: */, "", text)
            return text == "true" ? "yes" : text == "false" ? "no" : text
        }
        { print value("states"), value("transitions"), value("tau_transitions"), value("labels"),
                (value("deadlock_states") > 0 ? "yes" : "no"), value("livelock"),
                value("deterministic") }'
}

row() { # name, whose, seven columns, remark
    printf '%-15s %-9s %9s %11s %10s %7s %9s %9s %14s   %s\n' "$@"
}

# compare NAME FILE : two rows, and whether they are equal.
compare() {
    local wanted got
    wanted=$(published "$1")
    got=$(found "$2")
    # shellcheck disable=SC2086  # a row is seven words
    row "$1" manifest $wanted ''
    # shellcheck disable=SC2086
    if [[ $wanted == "$got" && $got ]]; then
        row '' found $got equal
    else
        row '' found $got DIFFERS
        different=$((different + 1))
    fi
}

say "3. Generating ${#models[@]} surrogates (same facts as the VLTS models, other graphs)"
mkdir -p "$files"
for name in "${models[@]}"; do
    started=$(date +%s.%N)
    quietly "$demo/gen.log" "$bespoke" gen vlts "$name" --no-progress -o "$files/$name.plts"
    levels=$(sed -nE 's/.*; ([0-9]+ levels.*)/\1/p' "$demo/gen.log")
    say "   $name in $(seconds_since "$started") s: $levels"
done

say "4. What bespoke info finds, beside the manifest of the suite"
echo
row model '' states transitions tau labels deadlock livelock deterministic ''
for name in "${models[@]}"; do compare "$name" "$files/$name.plts"; done
echo

say "5. Converting $converted: .plts -> .aut.gz -> .plts"
"$bespoke" convert --no-progress "$files/$converted.plts" "$files/$converted.aut.gz"
"$bespoke" convert --no-progress "$files/$converted.aut.gz" "$files/$converted.again.plts"
say "   $(cd "$files" && wc -c "$converted.plts" "$converted.aut.gz" "$converted.again.plts" |
    awk '$2 != "total" { printf "%s%s %.1f MB", separator, $2, $1 / 1e6; separator = ", " }')"
if [[ $(found "$files/$converted.plts") == "$(found "$files/$converted.again.plts")" ]]; then
    say "   the same facts after the round trip"
else
    say "   the facts DIFFER after the round trip"
    different=$((different + 1))
fi

# ask EXPECTED ARGUMENT... : put a question, show it with its answer; anything else DIFFERS.
ask() {
    local expected=$1 answer
    shift
    answer=$("$bespoke" "$@" 2>"$demo/ask.log") || true
    if [[ $answer != "$expected" ]]; then
        answer="$answer, DIFFERS"
        different=$((different + 1))
    fi
    say "   bespoke ${*//"$root/"/}"
    say "      $answer"
}

say "6. Asking: does it deadlock, how, and is that proved?"
proof=$files/deadlock.cert way=$files/deadlock.seq
ask TRUE deadlock "$files/vasy_5_9.plts" --diagnostic "$way"
sed 's/^/         /' "$way" | head -n 4
say "         ... $(wc -l <"$way") steps in all"
ask FALSE check -f '[ true* ] < true > true' "$files/vasy_5_9.plts" --diagnostic "$proof"
ask FALSE certify "$proof"
ask FALSE livelock "$files/vasy_8_24.plts" --certify

# term FIRST SECOND N : X(N), where X(n) = 3 X(n-1) + X(n-2).
term() {
    local x=$1 y=$2 i next
    for ((i = 0; i < $3; i++)); do
        next=$((3 * y + x)) x=$y y=$next
    done
    echo "$x"
}

seats=10
say "7. Exploring a network: $seats philosophers and their forks, composed on the fly"
net=$files/phil.exp
quietly "$demo/gen.log" "$bespoke" gen philosophers --n $seats --no-progress -o "$net"
started=$(date +%s.%N)
wanted="$(($(term 2 3 $seats) - 1)) states, $((seats * ($(term 1 2 $seats) - 1))) transitions"
got=$("$bespoke" explore --no-progress --threads "$(cores)" "$net" | awk '
    $1 == "states" { states = $2 }
    $1 == "transitions" { print states " states, " $2 " transitions" }')
say "   $wanted by the formula of docs/FAMILIES.md"
if [[ $got == "$wanted" ]]; then
    say "   $got explored in $(seconds_since "$started") s, equal"
else
    say "   $got explored, DIFFERS"
    different=$((different + 1))
fi
ask TRUE deadlock "$net" --diagnostic "$way"
sed 's/^/         /' "$way" | head -n 2
say "         ... $(wc -l <"$way") steps in all: everybody takes one fork, there is no shorter way"
ask TRUE check -F "${net%.exp}.exclusive.mcl" "$net" --certify

say "8. The same questions, solved by several workers: threads, and ranks of MPI"
ask TRUE deadlock "$net" --threads "$(cores)" --certify
ask TRUE check -F "${net%.exp}.exclusive.mcl" "$net" --ranks 2 --certify
ask FALSE check -f '[ true* ] < true > true' "$files/vasy_5_9.plts" --ranks 2 --threads 2 --certify

say "Done: $different differences.  Try:  build/demo/tools/bespoke check --help"
((different == 0))
