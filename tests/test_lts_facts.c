#include "algorithms/lts_facts.h"

#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <string.h>

static bool same_facts(const lts_facts *a, const lts_facts *b)
{
    return a->tau_transitions == b->tau_transitions &&
           a->deadlock_states == b->deadlock_states &&
           a->deadlock_states_reachable == b->deadlock_states_reachable &&
           a->unreachable_states == b->unreachable_states &&
           a->branching_min == b->branching_min && a->branching_max == b->branching_max &&
           a->branching_average == b->branching_average && a->levels == b->levels &&
           a->livelock == b->livelock && a->deterministic == b->deterministic;
}

static lts_facts facts_of(const naive_lts *n)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts_facts f;
    lts g = naive_rows(n, &m);
    CU_ASSERT_EQUAL_FATAL(lts_facts_compute(&f, &g, NULL, &e), 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    return f;
}

/* Dense and sparse ones, so that every fact is seen true and false. */
static void facts_of_random_graphs_are_those_of_the_naive_ones(void)
{
    unsigned livelocks = 0, deterministic = 0, unreachable = 0, stuck = 0;
    enum { GRAPHS = 600 };
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        random_stream r = random_open(seed, 2);
        uint64_t states = 1 + random_below(&r, 30);
        size_t count = (size_t)random_below(&r, 2 * states + 1);
        size_t labels = 1 + (size_t)random_below(&r, 12);
        naive_lts n = naive_random(states, count, labels, NAIVE_SORTED, seed);
        lts_facts mine = facts_of(&n), plain = naive_facts(&n);
        CU_ASSERT(same_facts(&mine, &plain));
        livelocks += mine.livelock;
        deterministic += mine.deterministic;
        unreachable += mine.unreachable_states > 0;
        stuck += mine.deadlock_states_reachable > 0;
        naive_close(&n);
    }
    CU_ASSERT(livelocks > 20 && livelocks < GRAPHS - 20);
    CU_ASSERT(deterministic > 20 && deterministic < GRAPHS - 20);
    CU_ASSERT(unreachable > 20 && unreachable < GRAPHS - 20);
    CU_ASSERT(stuck > 20 && stuck < GRAPHS - 20);
}

/* Transitions as text: from, label (one letter), to; blanks between. */
static naive_lts graph(uint64_t states, const char *edges)
{
    naive_lts n = { .states = states };
    unsigned from, to;
    char label;
    int used;
    for (; sscanf(edges, " %u%c%u%n", &from, &label, &to, &used) == 3; edges += used)
        naive_add(&n, from, naive_label_of(&n, &label, 1), to);
    return n;
}

static void livelock_is_a_reachable_cycle_of_tau_alone(void)
{
    static const struct {
        const char *edges;
        bool livelock;
    } rows[] = {
        { "0i0", true },
        { "0a0", false },
        { "0i1 1i2 2i0", true },
        { "0i1 1a2 2i0", false },
        { "0a1 1i1", true },
        { "0a1 2i2", false },         /* nobody comes to 2 */
        { "0i1 0i2 1i3 2i3", false }, /* a diamond is no cycle */
        { "0i1 0i1 1i2", false },     /* nor is a transition twice */
        { "0a1 1i2 2i1", true },
        { "1i2 2i1 1i0", false },
        { "0i1 2i1 2i2", false }, /* a cycle that leads here, but not from here */
        { "0i1 1i2 2i3 3i1", true },
        { "", false },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        naive_lts n = graph(4, rows[i].edges);
        CU_ASSERT_EQUAL(facts_of(&n).livelock, rows[i].livelock);
        CU_ASSERT_EQUAL(naive_facts(&n).livelock, rows[i].livelock);
        naive_close(&n);
    }
}

static void deterministic_is_one_successor_per_label_duplicates_or_not(void)
{
    static const struct {
        const char *edges;
        bool deterministic;
    } rows[] = {
        { "", true },
        { "0a1 0b1", true },
        { "0a1 0a1", true }, /* the same transition twice */
        { "0a1 0a2", false },
        { "0a1 0b2 0a1 0a2", false },
        { "0a1 1a2 2a3", true },
        { "0i1 0i2", false },
        { "0a0 3b1 3b2", false }, /* unreachable states count */
        { "0a1 0b2 1a2 1b1", true },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        naive_lts n = graph(4, rows[i].edges);
        CU_ASSERT_EQUAL(facts_of(&n).deterministic, rows[i].deterministic);
        CU_ASSERT_EQUAL(naive_facts(&n).deterministic, rows[i].deterministic);
        naive_close(&n);
    }
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void)
{
    naive_lts n = graph(4, "0i1 1a2 2i0 0a3");
    for (size_t fail = 1;; fail++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts_facts f;
        lts g = naive_rows(&n, &m);
        size_t before = m.calls;
        m.fail_at = before + fail;
        int code = lts_facts_compute(&f, &g, NULL, &e);
        bool failed = m.calls >= m.fail_at;
        CU_ASSERT_EQUAL(code, failed ? (int)ERR_LIMIT : 0);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        if (!failed) break;
    }
    naive_close(&n);
}

CU_TestInfo test_lts_facts[] = {
    { "facts of random graphs are those of the naive ones",
      facts_of_random_graphs_are_those_of_the_naive_ones },
    { "livelock is a reachable cycle of tau alone",
      livelock_is_a_reachable_cycle_of_tau_alone },
    { "deterministic is one successor per label, duplicates or not",
      deterministic_is_one_successor_per_label_duplicates_or_not },
    { "every failing allocation is reported and leaks nothing",
      every_failing_allocation_is_reported_and_leaks_nothing },
    CU_TEST_INFO_NULL
};
