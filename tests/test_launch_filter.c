#include "tools/launch_filter.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const char *const starts[] = { "[mpiexec@", "\n=====", "=====", NULL };

typedef struct heard {
    char passed[512], told[512], aside[512];
} heard;

static void hear_pass(void *self, const char *data, size_t bytes)
{
    strncat(((heard *)self)->passed, data, bytes);
}

static void hear_told(void *self, const char *line)
{
    strcat(strcat(((heard *)self)->told, line), ";");
}

static void hear_aside(void *self, const char *data, size_t bytes)
{
    strncat(((heard *)self)->aside, data, bytes);
}

typedef struct stream_case {
    const char *text, *passed, *told, *aside, *aside_to_the_end;
} stream_case;

static const stream_case cases[] = {
    { "", "", "", "", "" },
    { "TRUE\n", "TRUE\n", "", "", "" },
    { "a\n\n\nb", "a\n\n\nb", "", "", "" },
    { "\n", "\n", "", "", "" },
    { "[mpi", "[mpi", "", "", "" },
    { "[mpiexec@h] x\nb\n", "b\n", "", "[mpiexec@h] x\n", "[mpiexec@h] x\nb\n" },
    { "a [mpiexec@h]\n", "a [mpiexec@h]\n", "", "", "" },
    { "a\n\n=====\nb\n", "a\nb\n", "", "\n=====\n", "\n=====\nb\n" },
    { "a\n\n\n=====\n", "a\n\n", "", "\n=====\n", "\n=====\n" },
    { "a\n\n[mpiexec@\n", "a\n\n", "", "[mpiexec@\n", "[mpiexec@\n" },
    { "a\n\n====\nb\n", "a\n\n====\nb\n", "", "", "" },
    { "x\r[mpiexec@h]\n", "x\r", "", "[mpiexec@h]\n", "[mpiexec@h]\n" },
    { "\x1eH 1\n", "", "H 1;", "", "" },
    { "a\x1eH 1\nb\x1eS\n", "ab", "H 1;S;", "", "" },
    { "[mpi\x1eH 1\nexec\n", "[mpiexec\n", "H 1;", "", "" },
    { "[mpiexec@\x1eH\nb", "b", "", "[mpiexec@\x1eH\n", "[mpiexec@\x1eH\nb" },
    { "\x1eH 1", "\x1eH 1", "", "", "" },
};

static heard hear(const char *text, size_t step, bool to_the_end)
{
    heard h = { .passed = "" };
    launch_filter f;
    launch_sink to = { &h, hear_pass, hear_told, hear_aside };
    launch_filter_open(&f, to, starts);
    f.marks = true;
    f.to_the_end = to_the_end;
    for (size_t left = strlen(text); left > 0;) {
        size_t n = step < left ? step : left;
        launch_filter_feed(&f, text, n);
        text += n;
        left -= n;
    }
    launch_filter_end(&f);
    return h;
}

static void three_kinds_are_told_apart_however_they_are_cut(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step < 20; step++) {
            heard h = hear(cases[i].text, step, false);
            CU_ASSERT_STRING_EQUAL(h.passed, cases[i].passed);
            CU_ASSERT_STRING_EQUAL(h.told, cases[i].told);
            CU_ASSERT_STRING_EQUAL(h.aside, cases[i].aside);
            h = hear(cases[i].text, step, true);
            CU_ASSERT_STRING_EQUAL(h.aside, cases[i].aside_to_the_end);
        }
}

static void count(void *self, const char *data, size_t bytes)
{
    (void)data;
    *(size_t *)self += bytes;
}

static void a_line_without_end_is_not_kept(void)
{
    size_t seen = 0;
    char text[1000];
    launch_filter f;
    launch_sink to = { &seen, count, NULL, count };
    for (int kind = 0; kind < 2; kind++) {
        launch_filter_open(&f, to, starts);
        f.marks = true;
        launch_filter_feed(&f, kind ? "\x1e" : "[mpiexec@", kind ? 1 : 9);
        memset(text, 'x', sizeof text);
        for (int i = 0; i < 10; i++) launch_filter_feed(&f, text, sizeof text);
        CU_ASSERT(f.bytes <= LAUNCH_LINE_MOST);
        launch_filter_end(&f);
    }
    CU_ASSERT_EQUAL(seen, 2 * 10000 + 10);
}

CU_TestInfo test_launch_filter[] = { { "three kinds are told apart however they are cut",
                                       three_kinds_are_told_apart_however_they_are_cut },
                                     { "a line without end is not kept",
                                       a_line_without_end_is_not_kept },
                                     CU_TEST_INFO_NULL };
