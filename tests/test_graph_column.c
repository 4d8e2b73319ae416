#include "core/graph_column.h"
#include "core/ids.h"

#include <CUnit/CUnit.h>

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
    CU_ASSERT_EQUAL(graph_charge_to(&c, &g, &m, 1000, 4, &e), 0);
    CU_ASSERT_EQUAL(m.now, 4000); /* it is counted already */
    graph_charge_close(&c, &m);
    graph_column_close(&g, &m, at, 1000, sizeof *at);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void columns_of_others_cost_what_is_written_to(void)
{
    for (int use = GRAPH_COLUMN_DENSE; use <= GRAPH_COLUMN_SCATTERED; use++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        uint32_t met = 5;
        graph g = wide(&met);
        uint64_t before = mem_resident_anonymous();
        uint64_t *at =
            graph_column_open(&g, &m, g.vertices, sizeof *at, (graph_column_use)use, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at); /* 6 GiB of it */
        CU_ASSERT_EQUAL(m.now, 0);
        for (uint32_t i = 0; i < STRETCHES; i++) {
            uint64_t *stretch = at + (size_t)i * STRIDE;
            CU_ASSERT(stretch[0] == 0 && stretch[met] == 0 && stretch[STRIDE - 1] == 0);
            stretch[0] = i;
        }
        CU_ASSERT_EQUAL(at[2 * (size_t)STRIDE], 2);
        CU_ASSERT(mem_resident_anonymous() < before + MEM_HUGE_PAGE);
        graph_column_close(&g, &m, at, g.vertices, sizeof *at);
    }
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

static void charges_rise_and_are_given_back(void)
{
    mem m = { .limit = 1000 };
    err e = ERR_INIT;
    uint32_t met = 1;
    graph g = wide(&met);
    graph_charge c = { .bytes = 0 };
    CU_ASSERT_EQUAL(graph_charge_to(&c, &g, &m, 100, 5, &e), 0);
    CU_ASSERT_EQUAL(m.now, 500);
    CU_ASSERT_EQUAL(graph_charge_to(&c, &g, &m, 10, 5, &e), 0);
    CU_ASSERT_EQUAL(m.now, 500);
    CU_ASSERT_EQUAL(graph_charge_to(&c, &g, &m, 200, 5, &e), 0);
    CU_ASSERT(m.now == 1000 && m.peak == 1000);
    CU_ASSERT_EQUAL(graph_charge_to(&c, &g, &m, 201, 5, &e), ERR_LIMIT);
    CU_ASSERT_EQUAL(m.now, 1000);
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
    { "columns of others cost what is written to",
      columns_of_others_cost_what_is_written_to },
    { "only numbers in use are visited", only_numbers_in_use_are_visited },
    { "charges rise and are given back", charges_rise_and_are_given_back },
    { "what cannot be had is a limit", what_cannot_be_had_is_a_limit },
    CU_TEST_INFO_NULL
};
