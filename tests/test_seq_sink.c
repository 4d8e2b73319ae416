#include "core/ids.h"
#include "lang/seq.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_seq(const lts *g, mem *m, const char *path, err *e)
{
    lts_shape shape = sample_shape(g);
    lts_sink *sink = NULL;
    if (seq_sink_open(&sink, m, path, &shape, e) == 0 && sample_put(g, sink, e) == 0)
        lts_sink_commit(sink, e);
    lts_sink_close(sink);
    return (int)e->code;
}

enum { EDGES_MAX = 4 };

static const struct {
    state_id states, initial;
    sample_edge edges[EDGES_MAX];
    size_t count;
    const char *text; /* NULL: refused, */
    const char *word; /*   with this in the message */
} rows[] = {
    { 1, 0, { { 0 } }, 0, "", NULL },
    { 2, 0, { { 0, "a", 1 } }, 1, "\"a\"\n", NULL },
    { 4,
      0,
      { { 0, "SEND !1", 1 }, { 1, "i", 2 }, { 2, "a\\b", 3 } },
      3,
      "\"SEND !1\"\n\"i\"\n\"a\\b\"\n",
      NULL },
    { 2, 0, { { 0, "", 1 } }, 1, "\"\"\n", NULL },
    { 2, 1, { { 0, "a", 1 } }, 1, NULL, "no sequence" },                /* initial */
    { 1, 0, { { 0, "a", 0 } }, 1, NULL, "no sequence" },                /* a loop */
    { 3, 0, { { 0, "a", 1 } }, 1, NULL, "no sequence" },                /* too few */
    { 2, 0, { { 0, "a", 1 }, { 0, "b", 1 } }, 2, NULL, "no sequence" }, /* too many */
    { 3, 0, { { 0, "a", 1 }, { 0, "b", 2 } }, 2, NULL, "no sequence" }, /* branches */
    { 3, 0, { { 0, "a", 2 }, { 2, "b", 1 } }, 2, NULL, "no sequence" }, /* order */
    { 3, 0, { { 0, "a", 1 }, { 1, "b", 0 } }, 2, NULL, "no sequence" }, /* back */
    { 2, 0, { { 0, "SEND !\"x\"", 1 } }, 1, NULL, "label 'SEND !\"x\"'" },
    { 2, 0, { { 0, "a\tb", 1 } }, 1, NULL, "has a quote or an unprintable" },
    { 2, 0, { { 0, "caf\xc3\xa9", 1 } }, 1, NULL, "has a quote or an unprintable" },
    { 3, 0, { { 0, "a", 1 }, { 1, "\x7f", 2 } }, 2, NULL, "unprintable" },
};

static void paths_are_written_and_all_else_refused(void)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s = scratch_open();
        const char *path = scratch_path(&s, "x.seq");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g =
            sample_lts(&m, rows[i].states, rows[i].initial, rows[i].edges, rows[i].count);
        int rc = write_seq(&g, &m, path, &e);
        CU_ASSERT_EQUAL(rc, rows[i].text ? 0 : ERR_REFUSED);
        CU_ASSERT_EQUAL(scratch_count(&s), rc == 0);
        if (rc == 0 && rows[i].text) {
            char *have = scratch_read(path, NULL);
            CU_ASSERT_STRING_EQUAL(have, rows[i].text);
            free(have);
        } else if (rc == 0 || strstr(e.text, path) == NULL ||
                   strstr(e.text, rows[i].word) == NULL) {
            printf("\nrow %zu: %s\n", i, e.text);
            CU_FAIL("the message names the file and the reason");
        }
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        scratch_close(&s);
    }
}

/* More than one buffer of the output. */
static void a_long_path_is_written_whole(void)
{
    enum { STEPS = 300000, LINE = 4 };
    static sample_edge edges[STEPS];
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.seq");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    for (state_id i = 0; i < STEPS; i++)
        edges[i] = (sample_edge){ i, i % 3 ? "a" : "b", i + 1 };
    lts g = sample_lts(&m, STEPS + 1, 0, edges, STEPS);
    CU_ASSERT_EQUAL(write_seq(&g, &m, path, &e), 0);
    size_t bytes, wrong = 0;
    char *have = scratch_read(path, &bytes);
    CU_ASSERT_EQUAL_FATAL(bytes, STEPS * LINE);
    for (size_t i = 0; i < STEPS; i++)
        wrong += memcmp(have + i * LINE, i % 3 ? "\"a\"\n" : "\"b\"\n", LINE) != 0;
    CU_ASSERT_EQUAL(wrong, 0);
    free(have);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void failures_leave_nothing(void)
{
    static const sample_edge edges[] = { { 0, "a", 1 }, { 1, "b", 2 } };
    mem model = MEM_INIT;
    lts g = sample_lts(&model, 3, 0, edges, COUNT_OF(edges));
    size_t n = 0;
    for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
        scratch s = scratch_open();
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = ++n;
        rc = write_seq(&g, &m, scratch_path(&s, "x.seq"), &e);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
        CU_ASSERT_EQUAL_FATAL(rc, m.calls < n ? 0 : ERR_LIMIT);
        CU_ASSERT_EQUAL(scratch_count(&s), rc == 0);
        scratch_close(&s);
    }
    CU_ASSERT(n > 1);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(write_seq(&g, &m, "/dev/full", &e), ERR_SYSTEM);
    CU_ASSERT_EQUAL(m.now, 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(model.now, 0);
}

CU_TestInfo test_seq_sink[] = {
    { "paths are written and all else refused", paths_are_written_and_all_else_refused },
    { "a long path is written whole", a_long_path_is_written_whole },
    { "failures leave nothing", failures_leave_nothing },
    CU_TEST_INFO_NULL
};
