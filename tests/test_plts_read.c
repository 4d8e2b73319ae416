#include "core/ids.h"
#include "lang/plts.h"
#include "tests/sample_plts.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int loader(lts *out, const char *path, const load_options *o, err *e);
static loader *const loaders[] = { plts_map, plts_read };

/* Sizes that are empty, small, and cross the ends of pieces in each of the arrays. */
static const struct {
    state_id states;
    uint64_t transitions;
    label_id labels;
} sizes[] = {
    { 1, 0, 0 },
    { 1, 3, 1 },
    { 7, 4, 5 },
    { 100, 1000, 256 },
    { 100, 1000, 257 },
    { 131071, 262144, 3 },
    { 131072, 1, 2 },
    { 262144, 0, 0 },
    { 9, 262145, 65536 },
    { 9, 300000, 65537 },
    { 400000, 600000, 300 },
};

typedef int attempt(lts *g, const char *path, const load_options *o, err *e);

static void what_is_written_is_read_back(void)
{
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const char *path = scratch_path(&s, "x.plts");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts_random(&m, sizes[i].states, sizes[i].transitions,
                                  sizes[i].labels, i);
        CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
        CU_ASSERT(plts_is(path));
        for (size_t k = 0; k < 2 * COUNT_OF(loaders); k++) {
            load_options o = { .m = &m, .threads = (int)(k / 2) * 3 };
            lts back;
            CU_ASSERT_EQUAL_FATAL(loaders[k % 2](&back, path, &o, &e), 0);
            CU_ASSERT(sample_equal(&g, &back));
            CU_ASSERT_EQUAL(back.label_bytes, g.label_bytes);
            CU_ASSERT_EQUAL(back.map != NULL, k % 2 == 0);
            lts_close(&back);
        }
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void labels_may_hold_any_byte(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &m };
    lts g = sample_lts(&m, 1, 0, &(sample_edge){ 0, "a\nb\x01\xff", 0 }, 1), back;
    label_id id;
    CU_ASSERT_EQUAL(label_table_put(g.labels, "x\0y", 3, &id, &e), 0);
    CU_ASSERT_EQUAL(label_table_put(g.labels, "", 0, &id, &e), 0);
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
    CU_ASSERT_EQUAL_FATAL(plts_map(&back, path, &o, &e), 0);
    CU_ASSERT(sample_equal(&g, &back));
    lts_close(&back);
    lts_close(&g);
    scratch_close(&s);
}

/* Names hidden on loading: the labels of the file, and what is left of them. */
static void hidden_names_join_labels_on_loading(void)
{
    static const sample_edge edges[] = {
        { 0, "tau", 1 }, { 0, "a", 2 }, { 1, "i", 3 }, { 2, "delta", 0 }, { 3, "b", 1 }
    };
    static const struct {
        const char *hidden[2];
        size_t count;
        bool same_numbers; /* then the file can be mapped */
        label_id labels, label[5];
    } rows[] = {
        { { NULL }, 0, true, 5, { 0, 1, 2, 3, 4 } },
        { { "nowhere" }, 1, true, 5, { 0, 1, 2, 3, 4 } },
        { { "tau" }, 1, false, 4, { 0, 1, 0, 2, 3 } },
        { { "tau", "delta" }, 2, false, 3, { 0, 1, 0, 0, 2 } },
        { { "b" }, 1, false, 4, { 0, 1, 2, 3, 2 } },
    };
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts(&m, 4, 0, edges, COUNT_OF(edges));
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
    size_t before = m.now;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        load_options o = { .m = &m,
                           .hidden = rows[i / 2].hidden,
                           .hidden_count = rows[i / 2].count };
        lts back;
        plts_range r;
        CU_ASSERT_EQUAL_FATAL(loaders[i % 2](&back, path, &o, &e), 0);
        CU_ASSERT_EQUAL(back.map != NULL, i % 2 == 0 && rows[i / 2].same_numbers);
        CU_ASSERT_EQUAL(label_table_count(back.labels), rows[i / 2].labels);
        CU_ASSERT_EQUAL_FATAL(plts_range_read(&r, path, 0, 4, &o, &e), 0);
        for (uint64_t t = 0; t < COUNT_OF(edges); t++) {
            CU_ASSERT_EQUAL(lts_label(&back, t), rows[i / 2].label[t]);
            CU_ASSERT_EQUAL(((uint8_t *)r.label)[t], rows[i / 2].label[t]);
        }
        plts_range_close(&r);
        lts_close(&back);
        CU_ASSERT_EQUAL(m.now, before);
    }
    lts_close(&g);
    scratch_close(&s);
}

static void joined_labels_may_need_a_narrower_column(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts"), *hidden = "L0";
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 50, 3000, 257, 4), back; /* label 1 is i */
    load_options o = { .m = &m, .hidden = &hidden, .hidden_count = 1 };
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
    CU_ASSERT_EQUAL_FATAL(plts_map(&back, path, &o, &e), 0);
    CU_ASSERT_EQUAL(back.label_bytes, 1);
    CU_ASSERT_EQUAL(label_table_hidden(back.labels), 0);
    for (uint64_t t = 0; t < g.transitions; t++) {
        label_id old = lts_label(&g, t);
        CU_ASSERT_EQUAL(lts_label(&back, t), old < 2 ? 0 : old - 1);
    }
    lts_close(&back);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void what_is_no_file_of_ours_says_so(void)
{
    scratch s = scratch_open();
    static const struct {
        const char *name, *says;
    } rows[] = {
        { "missing", "No such file" }, { "", "no regular file" },
        { "pipe", "no regular file" }, { "aut", "not a .plts" },
        { "empty", "not a .plts" },
    };
    scratch_write(scratch_path(&s, "aut"), "des (0, 0, 1)\n", 14);
    scratch_write(scratch_path(&s, "empty"), "", 0);
    CU_ASSERT_EQUAL(mkfifo(scratch_path(&s, "pipe"), 0600), 0);
    int keep = open(scratch_path(&s, "pipe"), O_RDWR); /* so that opening does not wait */
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *path = scratch_path(&s, rows[i].name);
        err e = ERR_INIT;
        CU_ASSERT_FALSE(plts_is(path));
        CU_ASSERT_EQUAL(sample_plts_load(path, NULL, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].says));
    }
    close(keep);
    scratch_close(&s);
}

static int attempt_write(lts *g, const char *path, const load_options *o, err *e)
{
    (void)o;
    return sample_plts_write(g, path, e);
}

static int attempt_read(lts *g, const char *path, const load_options *o, err *e)
{
    (void)g;
    lts back;
    plts_read(&back, path, o, e);
    lts_close(&back);
    return (int)e->code;
}

static int attempt_map(lts *g, const char *path, const load_options *o, err *e)
{
    (void)g;
    lts back;
    plts_map(&back, path, o, e);
    lts_close(&back);
    return (int)e->code;
}

static int attempt_range(lts *g, const char *path, const load_options *o, err *e)
{
    plts_range r;
    plts_range_read(&r, path, 1, g->states - 1, o, e);
    plts_range_close(&r);
    return (int)e->code;
}

static void failing_memory_is_reported_and_nothing_leaks(void)
{
    static attempt *const attempts[] = { attempt_write, attempt_read, attempt_map,
                                         attempt_range };
    scratch s = scratch_open();
    mem m = MEM_INIT;
    const char *path = scratch_path(&s, "x.plts"), *hidden = "L0"; /* joins two labels */
    load_options o = { .m = &m, .threads = 2, .hidden = &hidden, .hidden_count = 1 };
    lts g = sample_lts_random(&m, 10, 100, 300, 1);
    size_t before = m.now;
    for (size_t i = 0; i < COUNT_OF(attempts); i++)
        for (size_t n = 1;; n++) {
            err e = ERR_INIT;
            m.calls = 0;
            m.fail_at = n;
            attempts[i](&g, path, &o, &e);
            CU_ASSERT_EQUAL(m.now, before);
            if (m.calls < n) {
                CU_ASSERT_EQUAL(e.code, ERR_NONE);
                CU_ASSERT(n > 5);
                break;
            }
            CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
        }
    lts_close(&g);
    CU_ASSERT_EQUAL(scratch_count(&s), 1);
    scratch_close(&s);
}

static void no_time_is_a_limit(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 10, 1000000, 3, 1);
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
    size_t before = m.now;
    for (size_t k = 0; k < COUNT_OF(loaders); k++) {
        progress clock;
        progress_open(&clock, PROGRESS_OFF, 1e-9);
        load_options o = { .m = &m, .clock = &clock };
        lts back;
        e = ERR_INIT;
        CU_ASSERT_EQUAL(loaders[k](&back, path, &o, &e), ERR_LIMIT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "time limit"));
        lts_close(&back);
        CU_ASSERT_EQUAL(m.now, before);
    }
    lts_close(&g);
    scratch_close(&s);
}

CU_TestInfo test_plts_read[] = {
    { "what is written is read back", what_is_written_is_read_back },
    { "labels may hold any byte", labels_may_hold_any_byte },
    { "hidden names join labels on loading", hidden_names_join_labels_on_loading },
    { "joined labels may need a narrower column",
      joined_labels_may_need_a_narrower_column },
    { "what is no file of ours says so", what_is_no_file_of_ours_says_so },
    { "failing memory is reported and nothing leaks",
      failing_memory_is_reported_and_nothing_leaks },
    { "no time is a limit", no_time_is_a_limit },
    CU_TEST_INFO_NULL
};
