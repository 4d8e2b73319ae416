#include "core/lts_assembly.h"

#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

enum { STORES = 3, WAITING = 8 };

/* How a list of transitions is put together. */
typedef struct plan {
    size_t size;           /* transitions of a batch */
    bool unknown;          /* the counts are not known beforehand */
    int64_t promised_more; /* than there are */
    size_t waiting;        /* batches whose turn is over and that are not yet placed */
    int threads;
} plan;

/* A batch between its turn and its place. */
typedef struct pending {
    lts_ticket ticket;
    lts_batch batch;
} pending;

typedef struct assembling {
    mem *m;
    lts_assembly all;
    lts_store store[STORES];
    label_id *same; /* every label is its own number: the list has them in order of use */
    pending slot[WAITING];
    random_stream chance;
} assembling;

static void fill_batch(assembling *a, const naive_lts *n, size_t from, size_t to,
                       lts_batch *b, err *e)
{
    for (size_t i = from; i < to && e->code == ERR_NONE; i++) {
        const naive_edge *x = &n->edges[i];
        label_id id;
        const naive_label *l = &n->labels[x->label];
        lts_edge edge = { (state_id)x->from, (state_id)x->to, (label_id)x->label };
        vec_push(a->m, &b->edges, edge, e);
        label_table_put(a->all.g.labels, l->text, l->bytes, &id, e);
    }
    lts_batch_seal(b);
}

static int place(assembling *a, pending *p, err *e)
{
    lts_store *s = &a->store[random_below(&a->chance, STORES)];
    return lts_assembly_place(&a->all, &p->ticket, &p->batch, a->same, s, e);
}

/* All turns in order; places in any order, up to `waiting` batches later. */
static void add_all(assembling *a, const naive_lts *n, const plan *p, err *e)
{
    size_t waiting = 0;
    for (size_t i = 0; i < n->count && e->code == ERR_NONE; i += p->size) {
        size_t end = i + p->size < n->count ? i + p->size : n->count;
        pending *mine = &a->slot[waiting++];
        fill_batch(a, n, i, end, &mine->batch, e);
        if (e->code == ERR_NONE)
            lts_assembly_turn(&a->all, &mine->ticket, i, &mine->batch, e);
        if (e->code != ERR_NONE || waiting <= p->waiting) continue;
        size_t k = (size_t)random_below(&a->chance, waiting);
        place(a, &a->slot[k], e);
        pending spare = a->slot[k];
        a->slot[k] = a->slot[--waiting];
        a->slot[waiting] = spare;
    }
    while (waiting > 0 && e->code == ERR_NONE) place(a, &a->slot[--waiting], e);
}

static int assemble(lts *out, const naive_lts *n, const plan *p, mem *m,
                    size_t *parts_made, err *e)
{
    assembling a = { .m = m, .chance = random_open(n->count, 3) };
    a.same = malloc((n->label_count + 1) * sizeof *a.same);
    for (size_t i = 0; i < n->label_count; i++) a.same[i] = (label_id)i;
    for (int i = 0; i < STORES; i++) a.store[i].memory = ARENA_INIT(m, 4096);
    *out = (lts){ .m = m };
    lts_assembly_open(&a.all, m, p->unknown ? 0 : (state_id)n->states,
                      (uint64_t)((int64_t)n->count + p->promised_more), e);
    if (e->code == ERR_NONE) add_all(&a, n, p, e);
    *parts_made = 0;
    for (int i = 0; i < STORES; i++) *parts_made += a.store[i].parts.count;
    if (e->code == ERR_NONE)
        lts_assembly_finish(&a.all, out, (state_id)n->states, (state_id)n->initial,
                            a.store, STORES, p->threads, e);
    lts_assembly_close(&a.all);
    for (int i = 0; i < STORES; i++) lts_store_release(&a.store[i], m);
    for (int i = 0; i < WAITING; i++) lts_batch_release(&a.slot[i].batch, m);
    free(a.same);
    return (int)e->code;
}

/* The LTS is the list, and `kept` says whether batches had to be kept as parts. */
static void check(const naive_lts *n, const plan *p, bool kept)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g;
    size_t parts;
    CU_ASSERT_EQUAL(assemble(&g, n, p, &m, &parts, &e), 0);
    const char *difference = naive_difference(n, &g);
    if (difference) printf("\n  batches of %zu: %s", p->size, difference);
    CU_ASSERT_PTR_NULL(difference);
    CU_ASSERT_EQUAL(parts > 0, kept);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void sorted_input_goes_straight_into_its_place(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        naive_lts n = naive_random(1 + seed * 7, 300, 9, NAIVE_SORTED, seed);
        plan p = { .size = 1 + (size_t)seed, .waiting = seed % WAITING, .threads = 2 };
        check(&n, &p, false);
        naive_close(&n);
    }
}

static void unsorted_input_is_merged(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        naive_order order = seed % 2 ? NAIVE_PARTLY : NAIVE_SHUFFLED;
        naive_lts n = naive_random(20 + seed, 300, 9, order, seed);
        plan p = { .size = 1 + (size_t)seed, .waiting = seed % WAITING, .threads = 2 };
        check(&n, &p, true);
        naive_close(&n);
    }
}

static void unknown_and_wrong_counts_are_no_obstacle(void)
{
    naive_lts n = naive_random(50, 300, 9, NAIVE_SORTED, 1);
    check(&n, &(plan){ .size = 10, .unknown = true, .threads = 1 }, true);
    check(&n, &(plan){ .size = 10, .promised_more = -100, .threads = 1 }, true);
    check(&n, &(plan){ .size = 10, .promised_more = -300, .threads = 1 }, true);
    check(&n, &(plan){ .size = 10, .promised_more = 5, .threads = 3 }, false);
    check(&n, &(plan){ .size = 10, .promised_more = INT64_MAX / 2, .threads = 1 }, true);
    naive_close(&n);
}

static void labels_grow_wider_on_the_way(void)
{
    static const size_t labels[] = { 256, 257, 300, 65536, 65537, 66000 };
    for (size_t i = 0; i < COUNT_OF(labels); i++)
        for (naive_order order = 0; order < NAIVE_ORDERS; order++) {
            naive_lts n = naive_random(500, 67000, labels[i], order, i);
            check(&n, &(plan){ .size = 1000, .threads = 2 }, order != NAIVE_SORTED);
            naive_close(&n);
        }
}

static void an_lts_without_transitions(void)
{
    naive_lts n = naive_random(70000, 0, 1, NAIVE_SORTED, 1);
    check(&n, &(plan){ .size = 10, .threads = 1 }, false);
    check(&n, &(plan){ .size = 10, .unknown = true, .threads = 1 }, false);
    naive_close(&n);
}

/* The rows are a wish: where they are refused the batches become parts. */
static void every_failing_allocation_is_reported_or_survived(void)
{
    for (naive_order order = 0; order < NAIVE_ORDERS; order++) {
        naive_lts n = naive_random(60, 700, 300, order, 5);
        for (size_t fail = 1;; fail++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            lts g;
            size_t parts;
            m.fail_at = fail;
            int code =
                assemble(&g, &n, &(plan){ .size = 50, .threads = 2 }, &m, &parts, &e);
            CU_ASSERT(code == 0 || code == ERR_LIMIT);
            if (code == 0) CU_ASSERT_PTR_NULL(naive_difference(&n, &g));
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
            if (m.calls < fail) break;
        }
        naive_close(&n);
    }
}

CU_TestInfo test_lts_assembly[] = {
    { "sorted input goes straight into its place",
      sorted_input_goes_straight_into_its_place },
    { "unsorted input is merged", unsorted_input_is_merged },
    { "unknown and wrong counts are no obstacle",
      unknown_and_wrong_counts_are_no_obstacle },
    { "labels grow wider on the way", labels_grow_wider_on_the_way },
    { "an LTS without transitions", an_lts_without_transitions },
    { "every failing allocation is reported or survived",
      every_failing_allocation_is_reported_or_survived },
    CU_TEST_INFO_NULL
};
