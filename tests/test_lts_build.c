#include "core/lts_build.h"

#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

static const int thread_counts[] = { 1, 2, 3, 8 };

/* The parts of a list of transitions, `size` transitions each. */
typedef struct cut {
    arena memory;
    lts_batch batch;
    label_id *same; /* every label is its own number */
    VEC(lts_part) parts;
} cut;

static void cut_open(cut *c, const naive_lts *n, size_t size, mem *m)
{
    err e = ERR_INIT;
    *c = (cut){ .memory = ARENA_INIT(m, 1 << 16) };
    c->same = malloc((n->label_count + 1) * sizeof *c->same);
    for (size_t i = 0; i < n->label_count; i++) c->same[i] = (label_id)i;
    for (size_t i = 0; i < n->count; i += size) {
        lts_part p = { .order = i };
        for (size_t k = i; k < i + size && k < n->count; k++) {
            const naive_edge *x = &n->edges[k];
            lts_edge edge = { (state_id)x->from, (state_id)x->to, (label_id)x->label };
            CU_ASSERT_EQUAL_FATAL(vec_push(m, &c->batch.edges, edge, &e), 0);
        }
        lts_batch_seal(&c->batch);
        CU_ASSERT_EQUAL_FATAL(lts_part_make(&p, &c->batch, c->same, m, &c->memory, &e),
                              0);
        CU_ASSERT_EQUAL_FATAL(vec_push(m, &c->parts, p, &e), 0);
    }
}

static void cut_close(cut *c, mem *m)
{
    lts_batch_release(&c->batch, m);
    arena_release(&c->memory);
    vec_release(m, &c->parts);
    free(c->same);
}

static lts empty_like(const naive_lts *n, mem *m)
{
    err e = ERR_INIT;
    lts g = { .m = m, .states = (state_id)n->states, .initial = (state_id)n->initial };
    CU_ASSERT_EQUAL_FATAL(label_table_open(&g.labels, m, &e), 0);
    for (size_t i = 0; i < n->label_count; i++) {
        label_id id;
        label_table_put(g.labels, n->labels[i].text, n->labels[i].bytes, &id, &e);
    }
    return g;
}

static void check_build(const naive_lts *n, size_t size, int threads)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    cut c;
    cut_open(&c, n, size, &m);
    lts g = empty_like(n, &m);
    CU_ASSERT_EQUAL(lts_build(&g, c.parts.at, c.parts.count, threads, &e), 0);
    const char *difference = naive_difference(n, &g);
    if (difference)
        printf("\n  %llu states, parts of %zu, %d threads: %s",
               (unsigned long long)n->states, size, threads, difference);
    CU_ASSERT_PTR_NULL(difference);
    lts_close(&g);
    cut_close(&c, &m);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* States below, at and beyond the edges of a tile (2^15) and of strips. */
static void parts_in_any_order_become_the_same_lts(void)
{
    static const uint64_t states[] = { 1, 7, 32767, 32768, 32769, 65536, 300001 };
    for (size_t i = 0; i < COUNT_OF(states); i++)
        for (naive_order order = 0; order < NAIVE_ORDERS; order++)
            for (size_t k = 0; k < COUNT_OF(thread_counts); k++) {
                naive_lts n = naive_random(states[i], 500, 5, order, i);
                check_build(&n, 60, thread_counts[k]);
                check_build(&n, 1000, thread_counts[k]);
                naive_close(&n);
            }
}

/* Sources just before, at and behind every edge of a tile, several tiles to a strip. */
static void no_transition_is_lost_at_the_edge_of_a_tile(void)
{
    enum { TILE = 1 << 15, TILES = 40 };
    naive_lts n = { .states = TILES * TILE };
    size_t label = naive_label_of(&n, "a", 1);
    for (uint64_t tile = TILES; tile-- > 0;)
        for (uint64_t s = tile * TILE + (tile == 0); s < tile * TILE + 3; s++)
            for (uint64_t k = 0; k < 3; k++) naive_add(&n, s - 1, label, s + k);
    check_build(&n, 50, 1);
    check_build(&n, 7, 3);
    naive_close(&n);
}

static void labels_of_every_width_are_merged(void)
{
    static const size_t labels[] = { 1, 256, 257, 65536, 65537 };
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        naive_lts n = naive_random(1000, 70000, labels[i], NAIVE_SHUFFLED, i);
        check_build(&n, 5000, 2);
        naive_close(&n);
    }
}

static void no_parts_make_an_lts_without_transitions(void)
{
    naive_lts n = naive_random(40000, 0, 1, NAIVE_SORTED, 1);
    check_build(&n, 1, 3);
    naive_close(&n);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void)
{
    naive_lts n = naive_random(50, 200, 5, NAIVE_SHUFFLED, 3);
    for (size_t fail = 1; fail <= 5; fail++) { /* three columns, bounds, scratch */
        mem m = MEM_INIT;
        err e = ERR_INIT;
        cut c;
        cut_open(&c, &n, 30, &m);
        lts g = empty_like(&n, &m);
        m.fail_at = m.calls + fail;
        CU_ASSERT_EQUAL(lts_build(&g, c.parts.at, c.parts.count, 2, &e), ERR_LIMIT);
        lts_close(&g);
        cut_close(&c, &m);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    naive_close(&n);
}

CU_TestInfo test_lts_build[] = {
    { "parts in any order become the same LTS", parts_in_any_order_become_the_same_lts },
    { "no transition is lost at the edge of a tile",
      no_transition_is_lost_at_the_edge_of_a_tile },
    { "labels of every width are merged", labels_of_every_width_are_merged },
    { "no parts make an LTS without transitions",
      no_parts_make_an_lts_without_transitions },
    { "every failing allocation is reported and leaks nothing",
      every_failing_allocation_is_reported_and_leaks_nothing },
    CU_TEST_INFO_NULL
};
