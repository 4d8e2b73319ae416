#include "core/lts_part.h"

#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* A batch, and a copy of what was put into it. */
typedef struct trial {
    mem m;
    arena memory;
    lts_batch batch;
    lts_edge *copy;
    size_t count;
} trial;

/* Random sources below `states`; targets count up, so that the order can be told. */
static void fill(trial *t, size_t count, uint64_t states, label_id labels, uint64_t seed)
{
    random_stream r = random_open(seed, 0);
    err e = ERR_INIT;
    t->count = count;
    t->copy = malloc((count + 1) * sizeof *t->copy);
    for (size_t i = 0; i < count; i++) {
        state_id from = (state_id)random_below(&r, states);
        t->copy[i] = (lts_edge){ from, (state_id)i, (label_id)random_below(&r, labels) };
        CU_ASSERT_EQUAL_FATAL(vec_push(&t->m, &t->batch.edges, t->copy[i], &e), 0);
    }
    lts_batch_seal(&t->batch);
}

static trial *open_trial(void)
{
    trial *t = calloc(1, sizeof *t);
    t->memory = ARENA_INIT(&t->m, 4096);
    return t;
}

static void close_trial(trial *t)
{
    lts_batch_release(&t->batch, &t->m);
    arena_release(&t->memory);
    CU_ASSERT_EQUAL(t->m.now, 0);
    free(t->copy);
    free(t);
}

static label_id label_at(const lts_part *p, size_t i)
{
    if (p->label_bytes == 1) return ((const uint8_t *)p->label)[i];
    if (p->label_bytes == 2) return ((const uint16_t *)p->label)[i];
    return ((const uint32_t *)p->label)[i];
}

/* Insertion keeps the order of equal ones: the simplest stable sort. */
static void sort_slowly(lts_edge *at, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && at[k - 1].from > at[k].from; k--) {
            lts_edge e = at[k];
            at[k] = at[k - 1];
            at[k - 1] = e;
        }
}

static bool holds(const lts_part *p, const trial *t, const label_id *rename)
{
    if (p->count != t->count) return false;
    for (size_t i = 0; i < t->count; i++)
        if (p->from[i] != t->copy[i].from || p->to[i] != t->copy[i].to ||
            label_at(p, i) != rename[t->copy[i].label])
            return false;
    return true;
}

static void a_part_is_the_batch_stably_sorted(void)
{
    /* below 2^11, 2^22 and 2^32 states the sort takes one, two and three passes */
    static const uint64_t states[] = {
        1, 2, 50, 2047, 2048, 100000, 1u << 22, STATES_MAX
    };
    static const label_id rename[] = { 3, 1, 4, 0, 5 };
    for (size_t i = 0; i < COUNT_OF(states); i++)
        for (size_t count = 0; count < 600; count = count * 3 + 1) {
            trial *t = open_trial();
            lts_part p = { .order = 9 };
            err e = ERR_INIT;
            fill(t, count, states[i], COUNT_OF(rename), i * 1000 + count);
            sort_slowly(t->copy, t->count);
            CU_ASSERT_EQUAL(lts_part_make(&p, &t->batch, rename, &t->m, &t->memory, &e),
                            0);
            CU_ASSERT(holds(&p, t, rename));
            CU_ASSERT_EQUAL(p.order, 9);
            CU_ASSERT_EQUAL(t->batch.edges.count, 0);
            close_trial(t);
        }
}

static void a_batch_is_reused_whatever_its_order_was(void)
{
    static const label_id rename[] = { 0, 1, 2 };
    trial *t = open_trial();
    for (uint64_t round = 0; round < 20; round++) {
        lts_part p = { 0 };
        err e = ERR_INIT;
        free(t->copy);
        fill(t, 10 * (size_t)round, round % 2 ? 1 : 5000, COUNT_OF(rename), round);
        sort_slowly(t->copy, t->count);
        CU_ASSERT_EQUAL(lts_part_make(&p, &t->batch, rename, &t->m, &t->memory, &e), 0);
        CU_ASSERT(holds(&p, t, rename));
    }
    close_trial(t);
}

static void seal_sees_whether_sources_ascend(void)
{
    static const struct {
        state_id from[4];
        size_t count;
        bool ascends;
    } rows[] = {
        { { 0 }, 0, true },           { { 5 }, 1, true },
        { { 1, 1, 1, 1 }, 4, true },  { { 0, 2, 2, 9 }, 4, true },
        { { 1, 0 }, 2, false },       { { 0, 1, 3, 2 }, 4, false },
        { { 7, 0, 8, 9 }, 4, false }, { { 0, STATES_MAX - 1 }, 2, true },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts_batch b = { .ascends = !rows[i].ascends };
        for (size_t k = 0; k < rows[i].count; k++) {
            lts_edge edge = { .from = rows[i].from[k] };
            CU_ASSERT_EQUAL(vec_push(&m, &b.edges, edge, &e), 0);
        }
        lts_batch_seal(&b);
        CU_ASSERT_EQUAL(b.ascends, rows[i].ascends);
        lts_batch_release(&b, &m);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void labels_take_the_smallest_width_of_their_new_numbers(void)
{
    static const struct {
        label_id most;
        unsigned width;
    } rows[] = { { 0, 1 }, { 255, 1 }, { 256, 2 }, { 65535, 2 }, { 65536, 4 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const label_id rename[] = { rows[i].most, 0 };
        trial *t = open_trial();
        lts_part p = { 0 };
        err e = ERR_INIT;
        fill(t, 30, 10, 2, i);
        sort_slowly(t->copy, t->count);
        CU_ASSERT_EQUAL(lts_part_make(&p, &t->batch, rename, &t->m, &t->memory, &e), 0);
        CU_ASSERT_EQUAL(p.label_bytes, rows[i].width);
        CU_ASSERT(holds(&p, t, rename));
        close_trial(t);
    }
}

static void bound_is_the_first_source_at_least_as_large(void)
{
    static const label_id rename[] = { 0 };
    for (size_t count = 0; count < 40; count++) {
        trial *t = open_trial();
        lts_part p = { 0 };
        err e = ERR_INIT;
        fill(t, count, 20, 1, count);
        CU_ASSERT_EQUAL(lts_part_make(&p, &t->batch, rename, &t->m, &t->memory, &e), 0);
        for (uint64_t s = 0; s <= 21; s++) {
            uint32_t slow = 0;
            while (slow < p.count && p.from[slow] < s) slow++;
            CU_ASSERT_EQUAL(lts_part_bound(&p, s), slow);
        }
        CU_ASSERT_EQUAL(lts_part_bound(&p, (uint64_t)1 << 32), p.count);
        close_trial(t);
    }
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void)
{
    static const label_id rename[] = { 0, 1 };
    for (size_t n = 1; n <= 2; n++) { /* scratch of the sort, chunk of the arena */
        trial *t = open_trial();
        lts_part p = { 0 };
        err e = ERR_INIT;
        fill(t, 100, 50, 2, n);
        t->m.fail_at = t->m.calls + n;
        CU_ASSERT_EQUAL(lts_part_make(&p, &t->batch, rename, &t->m, &t->memory, &e),
                        ERR_LIMIT);
        close_trial(t);
    }
}

CU_TestInfo test_lts_part[] = {
    { "a part is the batch, stably sorted", a_part_is_the_batch_stably_sorted },
    { "a batch is reused, whatever its order was",
      a_batch_is_reused_whatever_its_order_was },
    { "seal sees whether sources ascend", seal_sees_whether_sources_ascend },
    { "labels take the smallest width of their new numbers",
      labels_take_the_smallest_width_of_their_new_numbers },
    { "bound is the first source at least as large",
      bound_is_the_first_source_at_least_as_large },
    { "every failing allocation is reported and leaks nothing",
      every_failing_allocation_is_reported_and_leaks_nothing },
    CU_TEST_INFO_NULL
};
