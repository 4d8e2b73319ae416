# packages.sh - the Debian packages we need, and how they get onto the machine.
# Sourced by demo.sh and test.sh:   packages_ensure build [test]
# shellcheck shell=bash

# To build and run.  (libc6-dev is what gcc only recommends.)
packages_build=(
    gcc libc6-dev cmake ninja-build pkg-config
    mpich libmpich-dev                  # messages between ranks
    libhwloc-dev libpapi-dev            # optional: placement, hardware counters
    libxxhash-dev                       # hashes and checksums
    zlib1g-dev libzstd-dev libbz2-dev   # compressed models
    libjansson-dev libyaml-dev          # results and experiment files
    bison flex                          # languages
    gnuplot-nox                         # plots
)

# To test, besides.
packages_test=(
    libcunit1-dev                       # unit tests
    g++ libbenchmark-dev                # benchmarks
    clang libomp-dev libclang-rt-dev    # the second compiler, ThreadSanitizer, libFuzzer
    clang-format clang-tidy shellcheck  # checks of the source
    libopenmpi-dev openmpi-bin          # the second MPI
    iproute2                            # two hosts: network namespaces
    zstd bzip2 gzip                     # to make compressed inputs with
    python3 git
)

# packages_of TIER... : the names, one per line.
packages_of() {
    local tier
    for tier in "$@"; do
        case $tier in
        build) printf '%s\n' "${packages_build[@]}" ;;
        test) printf '%s\n' "${packages_test[@]}" ;;
        *) return 1 ;;
        esac
    done
}

# packages_missing TIER... : those that are not installed.  Asks dpkg alone, no network.
packages_missing() {
    local wanted
    mapfile -t wanted < <(packages_of "$@")
    # A name dpkg has never heard of is an error on stderr and simply not in the list.
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
        awk -v wanted="${wanted[*]}" '
            $2 == "installed" { have[$1] = 1 }
            END { n = split(wanted, name, " ")
                  for (i = 1; i <= n; i++) if (!(name[i] in have)) print name[i] }'
}

# packages_ensure TIER... : install what is missing, as root or with sudo; with neither, print
# the line to run and stop with status 2.  Without dpkg say what is needed and go on.
packages_ensure() {
    if ! command -v dpkg-query >/dev/null; then
        echo "This is no Debian machine (there is no dpkg-query).  Needed, by Debian's names:"
        packages_of "$@" | paste -sd ' ' | fold -s -w 86 | sed 's/^/    /'
        echo "Going on with what is there; cmake will name what it misses."
        return 0
    fi
    local missing
    mapfile -t missing < <(packages_missing "$@")
    if ((${#missing[@]} == 0)); then
        echo "All packages are installed."
        return 0
    fi
    local install=(apt-get install -y --no-install-recommends "${missing[@]}")
    echo "${#missing[@]} packages are missing: ${missing[*]}"
    if (($(id -u) == 0)); then
        packages_apt env DEBIAN_FRONTEND=noninteractive
    elif command -v sudo >/dev/null && packages_may_sudo; then
        packages_apt sudo env DEBIAN_FRONTEND=noninteractive
    else
        echo "Installing needs root.  Please run, as root:"
        echo "    ${install[*]}"
        exit 2
    fi
}

# Is sudo of any use: without a password, or with somebody there to type it?
packages_may_sudo() { sudo -n true 2>/dev/null || { [[ -t 0 ]] && sudo -v; }; }

# packages_apt PREFIX... : run apt-get (in `install`, set by packages_ensure) behind a prefix.
# The lists of packages are fetched only when the first attempt does not know a name.
packages_apt() {
    echo "Running: ${install[*]}"
    if "$@" "${install[@]}" </dev/null; then return 0; fi
    echo "Fetching the lists of packages first: apt-get update"
    if "$@" apt-get update </dev/null && "$@" "${install[@]}" </dev/null; then return 0; fi
    echo "The packages could not be installed.  When that is mended, please run, as root:"
    echo "    ${install[*]}"
    exit 2
}
