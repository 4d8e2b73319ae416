#include "core/ids.h"
#include "lang/load_options.h"
#include "models/lts_file.h"
#include "models/sub_lts.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  numbers of transitions:  0        1        2        3        4        5        6  */
static const sample_edge edges[] = { { 0, "a", 2 }, { 1, "b", 0 }, { 1, "c", 3 },
                                     { 1, "i", 1 }, { 2, "d", 2 }, { 3, "a", 2 },
                                     { 3, "b", 4 } };
enum { STATES = 5, INITIAL = 1, EDGES = COUNT_OF(edges), KEPT_MAX = 12 };

static lts whole(mem *m) { return sample_lts(m, STATES, INITIAL, edges, EDGES); }

static int write_part(const lts *g, mem *m, const uint64_t *kept, size_t count,
                      const char *path, err *e)
{
    sub_lts part = SUB_LTS_INIT(m, g->initial, g->labels);
    for (size_t i = 0; i < count && e->code == ERR_NONE; i++) {
        sub_lts_edge edge = { .label = lts_label(g, kept[i]), .to = g->target[kept[i]] };
        while (g->first[edge.from + 1] <= kept[i]) edge.from++;
        edge.place = (uint32_t)(kept[i] - g->first[edge.from]);
        sub_lts_add(&part, &edge, e);
    }
    if (e->code == ERR_NONE) sub_lts_write(&part, path, e);
    sub_lts_release(&part);
    return (int)e->code;
}

static void the_kept_part_is_written_breadth_first(void)
{
    static const struct {
        uint64_t kept[KEPT_MAX];
        size_t count;
        const char *text;
    } rows[] = {
        { { 0 }, 0, "des (0, 0, 1)\n" },
        { { 3 }, 1, "des (0, 1, 1)\n(0, i, 0)\n" },
        /* order and repetition make no difference */
        { { 5, 1, 2, 5, 1, 1 }, 6, "des (0, 3, 4)\n(0, b, 1)\n(0, c, 2)\n(2, a, 3)\n" },
        /* what is kept but not reached over kept ones is left out */
        { { 4, 6 }, 2, "des (0, 0, 1)\n" },
        { { 0, 2, 6 }, 3, "des (0, 2, 3)\n(0, c, 1)\n(1, b, 2)\n" },
        { { 0, 1, 4 }, 3, "des (0, 3, 3)\n(0, b, 1)\n(1, a, 2)\n(2, d, 2)\n" },
        { { 0, 1, 2, 3, 4, 5, 6 },
          7,
          "des (0, 7, 5)\n(0, b, 1)\n(0, c, 2)\n(0, i, 0)\n(1, a, 3)\n"
          "(2, a, 3)\n(2, b, 4)\n(3, d, 3)\n" },
    };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        const char *path = scratch_path(&s, "part.aut");
        lts g = whole(&m);
        CU_ASSERT_EQUAL(write_part(&g, &m, rows[i].kept, rows[i].count, path, &e), 0);
        char *text = scratch_read(path, NULL);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
        free(text);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

/* With all transitions kept, writing twice gives what writing once gave. */
static void all_of_it_is_the_reachable_part(void)
{
    scratch s = scratch_open();
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        log_sink log = LOG_INIT;
        load_options o = { .m = &m, .threads = 1, .log = &log };
        lts g = sample_lts_random(&m, 20, 40, 4, seed), again;
        uint64_t all[40];
        for (uint64_t t = 0; t < 40; t++) all[t] = 39 - t;
        const char *one = scratch_path(&s, "one.plts"),
                   *two = scratch_path(&s, "two.plts");
        CU_ASSERT_EQUAL_FATAL(write_part(&g, &m, all, 40, one, &e), 0);
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&again, one, &o, &e), 0);
        CU_ASSERT(again.states <= g.states && again.transitions <= g.transitions);
        for (uint64_t t = 0; t < again.transitions; t++) all[t] = t;
        CU_ASSERT_EQUAL(write_part(&again, &m, all, again.transitions, two, &e), 0);
        size_t bytes[2];
        char *have[2] = { scratch_read(one, &bytes[0]), scratch_read(two, &bytes[1]) };
        CU_ASSERT(bytes[0] == bytes[1] && memcmp(have[0], have[1], bytes[0]) == 0);
        free(have[0]);
        free(have[1]);
        lts_close(&again);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void what_cannot_be_written_leaves_no_file(void)
{
    static const struct {
        const char *name;
        uint64_t kept[KEPT_MAX];
        size_t count;
        int code;
    } rows[] = {
        { "path.seq", { 2, 6 }, 2, 0 },
        { "empty.seq", { 0 }, 0, 0 },
        { "branch.seq", { 1, 2 }, 2, ERR_REFUSED },
        { "loop.seq", { 3 }, 1, ERR_REFUSED },
        { "path.xyz", { 2 }, 1, ERR_USAGE },
        { "no/such/folder.aut", { 2 }, 1, ERR_INPUT },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s = scratch_open();
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = whole(&m);
        const char *path = scratch_path(&s, rows[i].name);
        int rc = write_part(&g, &m, rows[i].kept, rows[i].count, path, &e);
        if (rc != rows[i].code) printf("\n%s: %d %s\n", rows[i].name, rc, e.text);
        CU_ASSERT_EQUAL(rc, rows[i].code);
        CU_ASSERT_EQUAL(scratch_count(&s), rc == 0);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        scratch_close(&s);
    }
}

static void every_failing_allocation_leaves_nothing(void)
{
    static const uint64_t kept[] = { 0, 1, 2, 3, 4, 5, 6, 0, 1, 2 };
    mem model = MEM_INIT;
    lts g = whole(&model);
    size_t n = 0;
    for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
        scratch s = scratch_open();
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = ++n;
        rc = write_part(&g, &m, kept, COUNT_OF(kept), scratch_path(&s, "x.aut"), &e);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
        CU_ASSERT_EQUAL_FATAL(rc, m.calls < n ? 0 : ERR_LIMIT);
        CU_ASSERT_EQUAL(scratch_count(&s), rc == 0);
        scratch_close(&s);
    }
    CU_ASSERT(n > 4);
    lts_close(&g);
}

CU_TestInfo test_sub_lts[] = {
    { "the kept part is written breadth-first", the_kept_part_is_written_breadth_first },
    { "all of it is the reachable part", all_of_it_is_the_reachable_part },
    { "what cannot be written leaves no file", what_cannot_be_written_leaves_no_file },
    { "every failing allocation leaves nothing",
      every_failing_allocation_leaves_nothing },
    CU_TEST_INFO_NULL
};
