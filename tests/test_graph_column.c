#include "core/graph_column.h"
#include "core/ids.h"

#include "tests/shadowed.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { STRIDE = 1 << 28, STRETCHES = 3 };

/* A graph of which nobody knows the extent; `met` of each stretch are in use. */
static graph wide(const uint32_t *met)
{
    return (graph){ .vertices = STRETCHES * STRIDE, .met = met, .stride = STRIDE };
}

static void columns_of_a_known_graph_are_on_the_account(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    graph g = { .vertices = 1000 };
    graph_charge c = { .bytes = 0 };
    uint32_t *at = graph_column_open(&g, &m, 1000, sizeof *at, GRAPH_COLUMN_DENSE, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL(m.now, 4000);
    graph_charge_add(&c, sizeof *at);
    CU_ASSERT_EQUAL(graph_charge_look(&c, &g, &m, GRAPH_ITEMS_ANY, &e), 0);
    CU_ASSERT_EQUAL(m.now, 4000); /* it is counted already */
    graph_charge_close(&c, &m);
    graph_column_close(&g, &m, at, 1000, sizeof *at);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Columns of which every `step`-th number in use is written to, in all stretches led to. */
typedef struct scatter_case {
    graph_column_use use;
    uint32_t stride, stretches, used, met, step;
    bool items; /* it is told how many numbers are written to */
} scatter_case;

static const scatter_case scatters[] = {
    { GRAPH_COLUMN_DENSE, 1 << 28, 3, 3, 5, 1, false },
    { GRAPH_COLUMN_SCATTERED, 1 << 28, 3, 3, 5, 1, false },
    { GRAPH_COLUMN_DENSE, 1 << 28, 3, 3, 1 << 20, 900, false },
    { GRAPH_COLUMN_SCATTERED, 1 << 28, 3, 2, 1 << 20, 900, false },
    { GRAPH_COLUMN_SCATTERED, 1 << 28, 3, 2, 1 << 22, 1 << 16, true },
    { GRAPH_COLUMN_DENSE, 1 << 24, 3, 3, 9000000, 100000, false },
    { GRAPH_COLUMN_DENSE, 1 << 22, 120, 120, 1 << 17, 1000, false },
    { GRAPH_COLUMN_DENSE, 1 << 22, 120, 7, 1 << 20, 1 << 18, false },
    { GRAPH_COLUMN_SCATTERED, 100, 5000, 5000, 100, 3, false },
};

/* What became resident is charged for, and not much more is. */
static void check_scatter(const scatter_case *s)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    graph_charge c = { .bytes = 0 };
    graph g = { .met = &s->met, .used = &s->used, .stride = s->stride };
    uint64_t written = 0, before = mem_resident_anonymous();
    g.vertices = s->stride * s->stretches;
    uint32_t *wide = graph_column_open(&g, &m, g.vertices, sizeof *wide, s->use, &e);
    uint8_t *slim = graph_column_open(&g, &m, g.vertices, sizeof *slim, s->use, &e);
    CU_ASSERT_FATAL(wide && slim);
    CU_ASSERT_EQUAL(m.now, 0);
    graph_charge_add(&c, sizeof *wide);
    graph_charge_add(&c, sizeof *slim);
    for (size_t i = 0; i < s->used; i++)
        for (size_t k = 0; k < s->met; k += s->step, written++) {
            CU_ASSERT(wide[i * s->stride + k] == 0 && slim[i * s->stride + k] == 0);
            wide[i * s->stride + k] = slim[i * s->stride + k] = 1;
        }
    uint64_t resident = mem_resident_anonymous() - before;
    uint64_t items = s->items ? written : GRAPH_ITEMS_ANY;
    CU_ASSERT_EQUAL(graph_charge_look(&c, &g, &m, items, &e), 0);
    if (!SHADOWED && m.now + 65536 < resident)
        printf("\n  case %zu: %zu charged, %llu resident", (size_t)(s - scatters), m.now,
               (unsigned long long)resident);
    CU_ASSERT(SHADOWED || m.now + 65536 >= resident); /* others too may need a page */
    CU_ASSERT(m.now <= (uint64_t)s->used * (5 * (uint64_t)s->met * 33 / 32 + 20000) +
                           (s->met * 4 > MEM_DENSE_FROM ? 16 << 20 : 1 << 14));
    CU_ASSERT(!s->items || m.now < 2 * written * 2 * MEM_PAGE);
    graph_charge_close(&c, &m);
    graph_column_close(&g, &m, wide, g.vertices, sizeof *wide);
    graph_column_close(&g, &m, slim, g.vertices, sizeof *slim);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void columns_of_others_cost_the_pages_that_are_written_to(void)
{
    for (size_t i = 0; i < COUNT_OF(scatters); i++) check_scatter(&scatters[i]);
}

static void only_numbers_in_use_are_visited(void)
{
    static const struct {
        uint32_t met;
        bool known;
        uint64_t count;
    } rows[] = { { 0, false, 0 },
                 { 1, false, STRETCHES },
                 { 7, false, 7 * STRETCHES },
                 { 0, true, 30 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        graph g = wide(&rows[i].met);
        vertex_id end = g.vertices, inside = 0;
        uint64_t count = 0;
        if (rows[i].known) g = (graph){ .vertices = end = 30 };
        for (vertex_id at = 0; at < end; at = graph_stretch_next(&g, at, end))
            for (vertex_id v = at; v < graph_stretch_end(&g, at, end); v++, count++)
                inside += rows[i].known ? v < 30 : v % STRIDE < rows[i].met;
        CU_ASSERT(count == rows[i].count && inside == count);
    }
}

/* As rows lead on: charged when it is due, ahead of it, and never too little. */
static void charges_rise_and_are_given_back(void)
{
    mem m = { .limit = 1 << 20 };
    err e = ERR_INIT;
    uint32_t met = 1, used = 1;
    graph g = wide(&met);
    graph_charge c = { .bytes = 0 };
    g.used = &used;
    graph_charge_add(&c, 4);
    size_t calls = m.calls;
    for (; e.code == ERR_NONE; met += met % 7 ? 1 : 50, used = met > 9000 ? 3 : 1) {
        size_t before = m.now;
        graph_charge_look(&c, &g, &m, GRAPH_ITEMS_ANY, &e);
        CU_ASSERT(m.now >= before && m.now == c.bytes);
        CU_ASSERT(e.code == ERR_LIMIT || m.now >= (size_t)met * used * 4);
    }
    CU_ASSERT(e.code == ERR_LIMIT && m.now <= m.limit && met > 50000);
    CU_ASSERT(m.calls - calls < 150); /* not for every number */
    graph_charge_add(&c, 1);
    e = ERR_INIT;
    m.limit = 0;
    size_t before = m.now;
    CU_ASSERT_EQUAL(graph_charge_look(&c, &g, &m, GRAPH_ITEMS_ANY, &e), 0);
    CU_ASSERT(m.now > before); /* for a new column at once */
    graph_charge_close(&c, &m);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void what_cannot_be_had_is_a_limit(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    CU_ASSERT_PTR_NULL(mem_reserve(&m, SIZE_MAX / 2, 16, true, &e)); /* overflows */
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    e = ERR_INIT;
    CU_ASSERT_PTR_NULL(
        mem_reserve(&m, 1, (size_t)1 << 60, true, &e)); /* does not exist */
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    e = ERR_INIT;
    m.fail_at = m.calls + 1;
    CU_ASSERT_PTR_NULL(mem_reserve(&m, 1, 4096, true, &e));
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    e = ERR_INIT;
    void *nothing = mem_reserve(&m, 0, 0, true, &e);
    CU_ASSERT_PTR_NOT_NULL(nothing);
    mem_unreserve(nothing, 0, 0);
    mem_unreserve(NULL, 1, 4096);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_graph_column[] = {
    { "columns of a known graph are on the account",
      columns_of_a_known_graph_are_on_the_account },
    { "columns of others cost the pages that are written to",
      columns_of_others_cost_the_pages_that_are_written_to },
    { "only numbers in use are visited", only_numbers_in_use_are_visited },
    { "charges rise and are given back", charges_rise_and_are_given_back },
    { "what cannot be had is a limit", what_cannot_be_had_is_a_limit },
    CU_TEST_INFO_NULL
};
