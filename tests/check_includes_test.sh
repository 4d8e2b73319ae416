#!/usr/bin/env bash
# check_includes_test.sh : does check_includes.sh find what it must find?  Each row is one
# file of a small tree, its include line, and the complaint (a pattern), or `fine`.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_includes.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

row() { # file, include line, expected
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/$(dirname "$1")" "$tree/core"
    printf '/* a file */\n%s\n' "$2" >"$tree/$1"
    echo '#include <stdint.h>' >"$tree/core/ids.h"
    local out status=0
    out=$("$check" "$tree") || status=$?
    if [[ $3 == fine && $status == 0 ]]; then return; fi
    # shellcheck disable=SC2053  # the expectation is a pattern
    if [[ $3 != fine && $status == 1 && $out == "$1:2: "$3 ]]; then return; fi
    echo "$1 with $2: expected $3, got status $status: $out"
    failed=1
}

row core/mem.c            '#include "core/mem.h"'            fine
row core/mem.c            '#include "lang/aut.h"'            'core may not include "lang/aut.h"'
row core/mem.h            '  #  include  "tools/tool.h"'     'core may not include "tools/tool.h"'
row core/mem.c            '#include"dtd/dtd.h"'              'core may not include "dtd/dtd.h"'
row dtd/dtd.c             '#include "core/ids.h"'            fine
row dtd/dtd.c             '#include "comm/comm.h"'           'dtd may not include*'
row comm/comm.c           '#include "dtd/dtd.h"'             fine
row comm/comm.c           '#include "models/model.h"'        'comm may not include*'
row lang/aut.c            '#include "models/lts_file.h"'     'lang may not include*'
row lang/aut.c            '#include "comm/comm.h"'           'lang may not include*'
row models/lts_file.c     '#include "comm/comm.h"'           fine
row models/lts_file.c     '#include "algorithms/search.h"'   'models may not include*'
row encodings/game.c      '#include "models/lts_file.h"'     fine
row encodings/game.c      '#include "algorithms/search.h"'   'encodings may not include*'
row algorithms/a1.c       '#include "comm/comm.h"'           fine
row algorithms/a1.c       '#include "encodings/game.h"'      'algorithms may not include*'
row algorithms/a1.c       '#include "models/lts_file.h"'     'algorithms may not include*'
row algorithms/a1.c       '#include "lang/aut.h"'            'algorithms may not include*'
row vlts_bench/x.c        '#include "models/lts_file.h"'     fine
row vlts_bench/x.c        '#include "algorithms/search.h"'   'vlts_bench may not include*'
row experiments/x.c       '#include "algorithms/search.h"'   fine
row experiments/x.c       '#include "tools/tool.h"'          'experiments may not include*'
row tools/main.c          '#include "experiments/x.h"'       fine
row models/lts_file.c     '#include "tests/capture.h"'       'models may not include*'
row tests/test_a.c        '#include "tools/tool.h"'          fine
row tests/fuzz/a.c        '#include "lang/aut.h"'            fine
row bench/a.cc            '#include "lang/aut.h"'            fine
row lang/mcl.y            '#include "tools/tool.h"'          'lang may not include*'
row models/plugin.c       '#include "include/bespoke_model.h"' fine
row core/mem.c            '#include "include/bespoke_model.h"' 'core may not include*'
row include/bespoke_model.h '#include "core/ids.h"'          'include may not include*'
row docs/examples/a.c     '#include <bespoke_model.h>'       fine
row docs/examples/a.c     '#include "core/ids.h"'            'docs may not include*'
row comm/comm_mpi.c       '#include <mpi.h>'                 fine
row comm/comm_mpi_mesh.c  '#include <mpi.h>'                 fine
row comm/comm.c           '#include <mpi.h>'                 '<mpi.h> belongs to*'
row comm/comm_mpi.h       '#include <mpi.h>'                 '<mpi.h> belongs to*'
row algorithms/comm_mpi.c '#include <mpi.h>'                 '<mpi.h> belongs to*'
row bench/yardstick_messages.c '#include <mpi.h>'         fine
row bench/yardstick_lts.c '#include <mpi.h>'              '<mpi.h> belongs to*'
row tools/main.c          '#include "mpi.h"'                 '<mpi.h> belongs to*'
row core/mem.c            '#include "ids.h"'                 'write "core/ids.h"*'
row tools/build_info.c    '#include "build_config.h"'        fine
row core/mem.c            '#include "core/../lang/aut.h"'    '*climbs out of its folder'
row elsewhere/x.c         '#include "core/ids.h"'            'there is no rule for the folder elsewhere*'

rm -rf "${tree:?}"/*
if "$check" "$tree" >/dev/null; then
    echo "a tree without include lines must fail"
    failed=1
fi
((failed)) || echo "every row as expected"
exit $failed
