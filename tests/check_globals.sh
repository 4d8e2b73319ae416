#!/usr/bin/env bash
# check_globals.sh LIBRARY... : no variable of ours may change outside a context passed as an
# argument, so no library has anything in .data or .bss.
set -eu
if ! command -v objdump >/dev/null; then
    echo "skipped: no objdump on this machine"
    exit 77
fi
found=0
for library in "$@"; do
    # Sections like .data.rel.ro are constant after loading; a section's own symbol is no
    # variable; the lock of an OpenMP critical section is the compiler's.
    while read -r name; do
        echo "$(basename "$library"): $name is a global that can change"
        found=1
    done < <(objdump -t "$library" | awk '
        { for (i = 2; i < NF; i++)
              if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)$/ &&
                  $NF != $i && $NF !~ /^\.gomp_critical/) print $NF }')
done
((found)) || echo "$# libraries without a mutable global"
exit $found
