#include "core/ids.h"
#include "lang/dot.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static int write_dot(const lts *g, const char *path, err *e)
{
    lts_shape shape = sample_shape(g);
    lts_sink *sink = NULL;
    if (dot_sink_open(&sink, g->m, path, &shape, e) == 0 && sample_put(g, sink, e) == 0)
        lts_sink_commit(sink, e);
    lts_sink_close(sink);
    return (int)e->code;
}

static void a_small_lts_as_a_picture(void)
{
    static const sample_edge edges[] = { { 0, "SEND !\"a\"", 1 },
                                         { 1, "i", 0 },
                                         { 1, "a\\b\n\xc3", 1 } };
    static const char want[] = "digraph lts {\n"
                               "    node [shape=circle];\n"
                               "    start [shape=point, label=\"\"];\n"
                               "    start -> 1;\n"
                               "    0;\n"
                               "    1 [penwidth=2];\n"
                               "    2;\n"
                               "    0 -> 1 [label=\"SEND !\\\"a\\\"\"];\n"
                               "    1 -> 0 [label=\"i\", style=dashed];\n"
                               "    1 -> 1 [label=\"a\\\\b\\\\x0a\\\\xc3\"];\n"
                               "}\n";
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.dot");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts(&m, 3, 1, edges, COUNT_OF(edges));
    CU_ASSERT_EQUAL(write_dot(&g, path, &e), 0);
    char *have = scratch_read(path, NULL);
    CU_ASSERT_STRING_EQUAL(have, want);
    free(have);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void large_ones_are_refused(void)
{
    static const struct {
        state_id states;
        int code;
    } rows[] = { { DOT_STATES_MAX, 0 }, { DOT_STATES_MAX + 1, ERR_REFUSED } };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts(&m, rows[i].states, 0, NULL, 0);
        CU_ASSERT_EQUAL(write_dot(&g, scratch_path(&s, "x.dot"), &e), rows[i].code);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void a_full_disk_ends_it(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 10, 20, 3, 1);
    CU_ASSERT_EQUAL(write_dot(&g, "/dev/full", &e), ERR_SYSTEM);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_dot_sink[] = { { "a small LTS as a picture", a_small_lts_as_a_picture },
                                { "large ones are refused", large_ones_are_refused },
                                { "a full disk ends it", a_full_disk_ends_it },
                                CU_TEST_INFO_NULL };
