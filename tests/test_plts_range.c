#include "core/random.h"
#include "lang/plts.h"
#include "tests/sample_plts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static void assert_range(const lts *g, const plts_range *r)
{
    CU_ASSERT_EQUAL(r->states, g->states);
    CU_ASSERT_EQUAL(r->initial, g->initial);
    CU_ASSERT_EQUAL(r->transitions, g->transitions);
    CU_ASSERT_EQUAL(label_table_count(r->labels), label_table_count(g->labels));
    CU_ASSERT_EQUAL(
        memcmp(r->first, g->first + r->lo, (r->hi - r->lo + 1) * sizeof *r->first), 0);
    uint64_t from = g->first[r->lo], count = g->first[r->hi] - from;
    CU_ASSERT_EQUAL(memcmp(r->target, g->target + from, count * sizeof *r->target), 0);
    CU_ASSERT_EQUAL(r->label_bytes, g->label_bytes);
    CU_ASSERT_EQUAL(memcmp(r->label, (char *)g->label + from * g->label_bytes,
                           count * g->label_bytes),
                    0);
}

static void any_range_is_a_slice_of_the_whole(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &m };
    lts g = sample_lts_random(&m, 400000, 700000, 300, 2);
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(&g, path, &e), 0);
    random_stream rnd = random_open(1, 0);
    size_t before = m.now;
    for (int i = 0; i < 200; i++) {
        state_id lo = (state_id)random_below(&rnd, 400001);
        state_id hi = lo + (state_id)random_below(&rnd, 400001 - lo);
        if (i < 4) lo = i % 2 ? 400000 : 0, hi = i / 2 ? lo : 400000;
        plts_range r;
        CU_ASSERT_EQUAL_FATAL(plts_range_read(&r, path, lo, hi, &o, &e), 0);
        assert_range(&g, &r);
        plts_range_close(&r);
        CU_ASSERT_EQUAL(m.now, before);
    }
    plts_range r;
    CU_ASSERT_EQUAL(plts_range_read(&r, path, 0, 400001, &o, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "400000 states"));
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void a_range_needs_only_its_own_pieces(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &m };
    lts g = sample_lts_random(&m, 1000, 1000000, 3, 2);
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    data[l.section[PLTS_TARGET].offset] ^= 1; /* in the first of four pieces */
    scratch_write(path, data, bytes);
    plts_range r;
    CU_ASSERT_EQUAL(plts_range_read(&r, path, 900, 1000, &o, &e), 0);
    plts_range_close(&r);
    CU_ASSERT_EQUAL(plts_range_read(&r, path, 0, 100, &o, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "TARGET"));
    free(data);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

/* Rows that ascend, but beyond the transitions there are. */
static void a_range_stays_inside_the_whole(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    load_options o = { .m = &m };
    lts g = sample_lts_random(&m, 10, 50, 3, 2);
    size_t bytes, before = m.now;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    uint64_t *first = (uint64_t *)(void *)(data + l.section[PLTS_FIRST].offset);
    for (uint64_t beyond = 51; beyond != 0; beyond <<= 1) {
        for (int i = 6; i <= 10; i++) first[i] = beyond;
        sample_plts_sign(data, &l);
        scratch_write(path, data, bytes);
        plts_range r;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(plts_range_read(&r, path, 2, 7, &o, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "FIRST"));
        CU_ASSERT_EQUAL(m.now, before);
        e = ERR_INIT;
        CU_ASSERT_EQUAL(plts_range_read(&r, path, 2, 5, &o, &e), 0);
        plts_range_close(&r);
    }
    free(data);
    lts_close(&g);
    scratch_close(&s);
}

CU_TestInfo test_plts_range[] = {
    { "any range is a slice of the whole", any_range_is_a_slice_of_the_whole },
    { "a range needs only its own pieces", a_range_needs_only_its_own_pieces },
    { "a range stays inside the whole", a_range_stays_inside_the_whole },
    CU_TEST_INFO_NULL
};
