#include "algorithms/search.h"

#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

/* `order` lists each reached state once, distances never falling, and nothing else. */
static bool is_breadth_first(const search *s, const uint32_t *distance)
{
    bool *listed = calloc(s->states, sizeof *listed);
    bool fine = true;
    for (state_id i = 0; fine && i < s->reached; i++) {
        state_id q = s->order[i];
        fine = q < s->states && distance[q] != UINT32_MAX && !listed[q] &&
               (i == 0 || distance[s->order[i - 1]] <= distance[q]);
        if (fine) listed[q] = true;
    }
    free(listed);
    return fine;
}

static void check(const naive_lts *n)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    search s;
    lts g = naive_rows(n, &m);
    uint32_t *distance = naive_distances(n), levels = 0;
    state_id reached = 0;
    CU_ASSERT_EQUAL_FATAL(search_run(&s, &g, NULL, &e), 0);
    for (uint64_t q = 0; q < n->states; q++) {
        CU_ASSERT_EQUAL(s.seen[q], distance[q] != UINT32_MAX);
        if (distance[q] == UINT32_MAX) continue;
        reached++;
        if (distance[q] + 1 > levels) levels = distance[q] + 1;
    }
    CU_ASSERT_EQUAL(s.reached, reached);
    CU_ASSERT_EQUAL(s.levels, levels);
    CU_ASSERT(is_breadth_first(&s, distance));
    search_close(&s);
    search_close(&s); /* may be repeated */
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    free(distance);
}

static void random_graphs_are_searched_level_by_level(void)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        random_stream r = random_open(seed, 1);
        uint64_t states = 1 + random_below(&r, 120);
        size_t count = (size_t)random_below(&r, 3 * states);
        naive_lts n = naive_random(states, count, 3, NAIVE_SORTED, seed);
        check(&n);
        naive_close(&n);
    }
}

static void a_chain_has_as_many_levels_as_states(void)
{
    naive_lts n = { .states = 500 };
    size_t label = naive_label_of(&n, "a", 1);
    for (uint64_t s = 0; s + 1 < n.states; s++) naive_add(&n, s, label, s + 1);
    check(&n);
    naive_close(&n);
}

static void a_wide_level_is_longer_than_what_is_fetched_ahead(void)
{
    naive_lts n = { .states = 400 };
    size_t label = naive_label_of(&n, "a", 1);
    for (uint64_t s = 1; s < n.states; s++) naive_add(&n, 0, label, s);
    for (uint64_t s = 1; s < n.states; s++) naive_add(&n, s, label, n.states - s);
    check(&n);
    naive_close(&n);
}

static void a_single_state_is_reached(void)
{
    naive_lts n = { .states = 1 };
    check(&n);
    naive_close(&n);
}

static void failing_allocations_are_reported(void)
{
    naive_lts n = naive_random(40, 100, 2, NAIVE_SORTED, 1);
    for (size_t fail = 1; fail <= 2; fail++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        search s;
        lts g = naive_rows(&n, &m);
        m.fail_at = m.calls + fail;
        CU_ASSERT_EQUAL(search_run(&s, &g, NULL, &e), ERR_LIMIT);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    naive_close(&n);
}

/* The clock is looked at every 2^16 states. */
static void the_deadline_ends_a_long_search(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    search s;
    progress clock;
    lts g = {
        .m = &m, .states = 1 << 17, .transitions = (1 << 17) - 1, .label_bytes = 1
    };
    CU_ASSERT_EQUAL_FATAL(lts_allocate(&g, &e), 0);
    for (state_id q = 0; q < g.states; q++) {
        g.first[q] = q;
        if (q + 1 < g.states) g.target[q] = q + 1;
    }
    g.first[g.states] = g.transitions;
    progress_open(&clock, PROGRESS_OFF, 1e-9);
    progress_begin(&clock, "searching", "states", g.states);
    CU_ASSERT_EQUAL(search_run(&s, &g, &clock, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NULL(s.order);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_search[] = {
    { "random graphs are searched level by level",
      random_graphs_are_searched_level_by_level },
    { "a chain has as many levels as states", a_chain_has_as_many_levels_as_states },
    { "a wide level is longer than what is fetched ahead",
      a_wide_level_is_longer_than_what_is_fetched_ahead },
    { "a single state is reached", a_single_state_is_reached },
    { "failing allocations are reported", failing_allocations_are_reported },
    { "the deadline ends a long search", the_deadline_ends_a_long_search },
    CU_TEST_INFO_NULL
};
