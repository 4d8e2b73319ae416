#include "core/ids.h"
#include "lang/aut.h"
#include "lang/decimal.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const log_sink quiet = { .level = LOG_QUIET };

static int write_aut(const lts *g, const char *path, err *e)
{
    lts_shape shape = sample_shape(g);
    lts_sink *sink = NULL;
    if (aut_sink_open(&sink, g->m, path, &shape, e) == 0 && sample_put(g, sink, e) == 0)
        lts_sink_commit(sink, e);
    lts_sink_close(sink);
    return (int)e->code;
}

static void numbers_of_every_length_are_written(void)
{
    static const uint32_t around[] = { 0,         1,          9,          10,
                                       99,        100,        999,        1000,
                                       9999,      10000,      12345,      99999,
                                       100000,    999999,     1000000,    9999999,
                                       10000000,  99999999,   100000000,  123456789,
                                       999999999, 1000000000, 4294967294, UINT32_MAX };
    char mine[DECIMAL_ROOM + 1], theirs[16];
    for (size_t i = 0; i < COUNT_OF(around); i++) {
        *decimal_put(mine, around[i]) = '\0';
        snprintf(theirs, sizeof theirs, "%" PRIu32, around[i]);
        CU_ASSERT_STRING_EQUAL(mine, theirs);
    }
    for (uint32_t x = 0, i = 0; i < 200000; i++, x += 21474) {
        *decimal_put(mine, x) = '\0';
        snprintf(theirs, sizeof theirs, "%" PRIu32, x);
        CU_ASSERT_STRING_EQUAL(mine, theirs);
    }
}

/* How one label is written. */
static void labels_are_quoted_when_they_must_be(void)
{
    static const struct {
        const char *label, *line;
    } rows[] = {
        { "i", "(0, i, 1)\n" },
        { "A", "(0, A, 1)\n" },
        { "PUT_6x", "(0, PUT_6x, 1)\n" },
        { "tau", "(0, tau, 1)\n" },
        { "_x", "(0, \"_x\", 1)\n" },
        { "6", "(0, \"6\", 1)\n" },
        { "", "(0, \"\", 1)\n" },
        { "*", "(0, \"*\", 1)\n" },
        { "SEND !1", "(0, \"SEND !1\", 1)\n" },
        { " i", "(0, \" i\", 1)\n" },
        { "a,b", "(0, \"a,b\", 1)\n" },
        { "SEND !\"a\" !\"b\"", "(0, \"SEND !\"a\" !\"b\"\", 1)\n" },
        { "\"", "(0, \"\"\", 1)\n" },
        { "a\\b~", "(0, \"a\\b~\", 1)\n" },
        { "exactly_28_bytes_of_a_label_", "(0, exactly_28_bytes_of_a_label_, 1)\n" },
        { "exactly 29 bytes of a label !",
          "(0, \"exactly 29 bytes of a label !\", 1)\n" },
    };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *path = scratch_path(&s, "x.aut");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts(&m, 2, 1, &(sample_edge){ 0, rows[i].label, 1 }, 1);
        CU_ASSERT_EQUAL(write_aut(&g, path, &e), 0);
        char want[128] = "des (1, 1, 2)\n", *have = scratch_read(path, NULL);
        CU_ASSERT_STRING_EQUAL(have, strcat(want, rows[i].line));
        free(have);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void labels_that_aut_cannot_hold_are_refused(void)
{
    static const struct {
        const char *label, *shown;
    } rows[] = {
        { "a\nb", "a\\x0ab" },
        { "\x7f", "\\x7f" },
        { "gr\xc3\xbc\xc3\x9f", "gr\\xc3\\xbc" },
        { "a very long label, of which a message can only show\t", "a message ca..." },
    };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts(&m, 2, 0, &(sample_edge){ 0, rows[i].label, 1 }, 1);
        CU_ASSERT_EQUAL(write_aut(&g, scratch_path(&s, "x.aut"), &e), ERR_REFUSED);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].shown));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, ".plts"));
        CU_ASSERT_EQUAL(scratch_count(&s), 0);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

/* Through every compressor and back through the reader. */
static void what_is_written_is_read_back(void)
{
    static const char *const names[] = { "x.aut", "x.aut.gz", "x.aut.zst", "x.aut.bz2" };
    static const struct {
        state_id states;
        uint64_t transitions;
        label_id labels;
    } sizes[] = {
        { 1, 0, 0 }, { 1, 5, 1 }, { 7, 3, 2 }, { 300, 2000, 300 }, { 9, 40000, 9 }
    };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(names) * COUNT_OF(sizes); i++) {
        const char *path = scratch_path(&s, names[i % COUNT_OF(names)]);
        size_t k = i / COUNT_OF(names);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet, .threads = 2 };
        lts g = sample_lts_random(&m, sizes[k].states, sizes[k].transitions,
                                  sizes[k].labels, i);
        lts back, again;
        CU_ASSERT_EQUAL_FATAL(write_aut(&g, path, &e), 0);
        CU_ASSERT_EQUAL_FATAL(aut_read(&back, path, &o, &e), 0);
        CU_ASSERT_EQUAL(back.transitions, g.transitions);
        /* numbers of labels follow their first use in the file, so compare once more */
        CU_ASSERT_EQUAL_FATAL(write_aut(&back, scratch_path(&s, "y.aut"), &e), 0);
        CU_ASSERT_EQUAL_FATAL(write_aut(&g, scratch_path(&s, "z.aut"), &e), 0);
        char *y = scratch_read(scratch_path(&s, "y.aut"), NULL);
        char *z = scratch_read(scratch_path(&s, "z.aut"), NULL);
        CU_ASSERT_STRING_EQUAL(y, z);
        CU_ASSERT_EQUAL_FATAL(aut_read(&again, scratch_path(&s, "y.aut"), &o, &e), 0);
        CU_ASSERT(sample_equal(&back, &again));
        free(y);
        free(z);
        lts_close(&g);
        lts_close(&back);
        lts_close(&again);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

/* Labels around the size up to which they go through the window, often enough to reach
   the end of every buffer. */
static void labels_of_any_length_are_written(void)
{
    static const size_t lengths[] = { 1000, 32760, 32764, 32765, 32770, 65536, 200000 };
    enum { LINES = 60 };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        const char *path = scratch_path(&s, "x.aut");
        char *label = malloc(lengths[i] + 1), *want = malloc(LINES * (lengths[i] + 40));
        memset(label, '!', lengths[i]);
        label[lengths[i]] = '\0';
        mem m = MEM_INIT;
        err e = ERR_INIT;
        sample_edge edges[LINES];
        char *end = want + sprintf(want, "des (0, %d, %d)\n", LINES, LINES);
        for (state_id k = 0; k < LINES; k++) {
            edges[k] = (sample_edge){ k, k % 3 ? label : "i", LINES - 1 - k };
            end += sprintf(end, k % 3 ? "(%u, \"%s\", %u)\n" : "(%u, %s, %u)\n", k,
                           edges[k].label, edges[k].to);
        }
        lts g = sample_lts(&m, LINES, 0, edges, LINES);
        CU_ASSERT_EQUAL(write_aut(&g, path, &e), 0);
        char *have = scratch_read(path, NULL);
        CU_ASSERT_EQUAL(strcmp(have, want), 0);
        free(have);
        free(label);
        free(want);
        lts_close(&g);
    }
    scratch_close(&s);
}

static void a_full_disk_ends_it(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 100, 100000, 5, 1);
    CU_ASSERT_EQUAL(write_aut(&g, "/dev/full", &e), ERR_SYSTEM);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void failing_memory_is_reported_and_nothing_leaks(void)
{
    scratch s = scratch_open();
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 10, 100, 5, 1);
    size_t before = m.now;
    for (size_t n = 1;; n++) {
        err e = ERR_INIT;
        m.calls = 0;
        m.fail_at = n;
        write_aut(&g, scratch_path(&s, "x.aut"), &e);
        CU_ASSERT_EQUAL(m.now, before);
        if (m.calls < n) {
            CU_ASSERT_EQUAL(e.code, ERR_NONE);
            CU_ASSERT(n > 4);
            break;
        }
        CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
        CU_ASSERT_EQUAL(scratch_count(&s), 0);
    }
    lts_close(&g);
    scratch_close(&s);
}

CU_TestInfo test_aut_sink[] = {
    { "numbers of every length are written", numbers_of_every_length_are_written },
    { "labels are quoted when they must be", labels_are_quoted_when_they_must_be },
    { "labels that AUT cannot hold are refused",
      labels_that_aut_cannot_hold_are_refused },
    { "what is written is read back", what_is_written_is_read_back },
    { "labels of any length are written", labels_of_any_length_are_written },
    { "a full disk ends it", a_full_disk_ends_it },
    { "failing memory is reported and nothing leaks",
      failing_memory_is_reported_and_nothing_leaks },
    CU_TEST_INFO_NULL
};
