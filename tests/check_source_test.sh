#!/usr/bin/env bash
# check_source_test.sh : do check_names.sh, check_sizes.sh, check_shell.sh, check_format.sh and
# check_globals.sh find what they must find?  Each row is a check, one bad file, and a pattern.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

lines() { # count, text
    local i
    for ((i = 0; i < $1; i++)); do echo "$2"; done
}

row() { # check, file, expected pattern or `fine`; the file's text on stdin
    rm -rf "${tree:?}"/*
    cp "$here/../.clang-format" "$tree"
    mkdir -p "$tree/core"
    printf 'int one(void)\n{\n    return 1;\n}\n' >"$tree/core/one.c"
    echo 'echo fine' >"$tree/core/one.sh"
    cat >"$tree/$2"
    local out status=0
    out=$("$here/check_$1.sh" "$tree" 2>&1) || status=$?
    if [[ $status == 77 ]]; then return; fi
    if [[ $3 == fine && $status == 0 ]]; then return; fi
    # shellcheck disable=SC2053  # the expectation is a pattern
    if [[ $3 != fine && $status == 1 && $out == *$3* ]]; then return; fi
    echo "check_$1.sh on $2: expected $3, got status $status: $out"
    failed=1
}

row names core/a.h fine                   <<<'typedef unsigned state_id; size_t f(uint32_t x);'
row names core/a.h 'core/a.h:1:'          <<<'typedef unsigned gid_t;'
row names core/a.h 'core/a.h:1:'          <<<'typedef struct gid gid_t;'
row names core/a.h 'core/a.h:3:'          <<<$'typedef struct gid {\n    int a;\n} gid_t;'
row names core/a.h 'core/a.h:1:'          <<<'struct gid_t { int a; };'
row names core/a.c 'finish it'            <<<"/* TO""DO */"
row shell core/a.sh 'core/a.sh'           <<<'if true; then'
row format core/a.c 'core/a.c:1:'         <<<'int  one ( void );'
row sizes core/a.c fine                   < <(lines 500 '/* line */')
row sizes core/a.c 'core/a.c: source of 501 lines'  < <(lines 501 '/* line */')
row sizes core/a.h fine                   < <(lines 150 '/* line */')
row sizes core/a.h 'core/a.h: header of 151 lines'  < <(lines 151 '/* line */')
row sizes core/a.c fine                   < <(echo '{'; lines 58 '    f();'; echo '}')
row sizes core/a.c 'core/a.c:1: function of 61'     < <(echo '{'; lines 59 '    f();'; echo '}')
row sizes core/a.c fine < <(echo '{'; echo '    } rows[] = {'; lines 90 '        { 1 },'; echo '    };'; lines 55 '    f();'; echo '}')
row sizes core/a.c 'function of 61' < <(echo '{'; echo '    } rows[] = {'; lines 90 '        { 1 },'; echo '    };'; lines 57 '    f();'; echo '}')

global() { # C text, expected status
    echo "$1" >"$tree/a.c"
    (cd "$tree" && ${CC:-gcc} -c a.c -o a.o)
    local status=0
    "$here/check_globals.sh" "$tree/a.o" >/dev/null || status=$?
    if [[ $status == 77 || $status == "$2" ]]; then return; fi
    echo "check_globals.sh on $1: expected status $2, got $status"
    failed=1
}

global 'int counter = 3;' 1
global 'static int calls; int f(void) { return calls++; }' 1
global 'int f(void) { static _Thread_local int n; return n++; }' 1
global 'static const char *const names[] = { "a", "b" }; const char *f(int i) { return names[i]; }' 0

((failed)) || echo "every row as expected"
exit $failed
