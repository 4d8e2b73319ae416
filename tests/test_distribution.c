#include "core/distribution.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static const worker_id worker_counts[] = { 1, 2, 3, 7, 16, 61, 1000 };
static const state_id state_counts[] = { 0, 1, 2, 60, 1000, 100003, STATES_MAX };

static distribution opened(distribution_kind kind, worker_id workers, state_id states)
{
    distribution d = { 0 };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(
        distribution_open(&d, distribution_name(kind), workers, states, &e), 0);
    CU_ASSERT_EQUAL(d.kind, kind);
    return d;
}

/* Up to 2000 states, evenly over the whole range, the last one among them. */
static state_id sample(state_id states, state_id i)
{
    return (state_id)((uint64_t)(states - 1) * i / 1999);
}

static void every_state_has_an_owner_below_the_number_of_workers(void)
{
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++)
        for (size_t w = 0; w < COUNT_OF(worker_counts); w++)
            for (size_t n = 1; n < COUNT_OF(state_counts); n++) {
                worker_id workers = worker_counts[w];
                state_id states = state_counts[n], wrong = 0;
                distribution d = opened((distribution_kind)kind, workers, states);
                for (state_id i = 0; i < 2000; i++)
                    wrong += distribution_owner(&d, sample(states, i)) >= workers;
                CU_ASSERT_EQUAL(wrong, 0);
            }
}

static void no_states_are_accepted(void)
{
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++) {
        distribution d = opened((distribution_kind)kind, 4, 0);
        CU_ASSERT(d.range > 0); /* nothing will divide by zero */
    }
}

static void the_extremes_of_a_hash_stay_below_the_number_of_workers(void)
{
    static const uint64_t hashes[] = { 0, 1, UINT32_MAX, UINT64_MAX };
    static const worker_id workers[] = { 1, 2, 1000, UINT32_MAX };
    for (size_t h = 0; h < COUNT_OF(hashes); h++)
        for (size_t w = 0; w < COUNT_OF(workers); w++)
            CU_ASSERT(distribution_spread(hashes[h], workers[w]) < workers[w]);
    CU_ASSERT_EQUAL(distribution_spread(UINT64_MAX, 1000), 999);
}

/* Largest share of a worker over the fair share. */
static double imbalance(const distribution *d, state_id states)
{
    uint32_t *held = calloc(d->workers, sizeof *held), most = 0;
    for (state_id s = 0; s < states; s++) held[distribution_owner(d, s)]++;
    for (worker_id w = 0; w < d->workers; w++)
        if (held[w] > most) most = held[w];
    free(held);
    return (double)most * d->workers / states;
}

/* hash: a million states scatter with a deviation of sqrt(states / workers).
 * locality: the same for its ranges, of which each worker gets at least 64. */
static void every_worker_gets_its_share(void)
{
    static const struct {
        distribution_kind kind;
        worker_id workers;
        double at_most;
    } rows[] = {
        { DISTRIBUTION_HASH, 2, 1.01 },     { DISTRIBUTION_HASH, 7, 1.02 },
        { DISTRIBUTION_HASH, 64, 1.05 },    { DISTRIBUTION_BLOCK, 2, 1.001 },
        { DISTRIBUTION_BLOCK, 64, 1.001 },  { DISTRIBUTION_LOCALITY, 2, 1.10 },
        { DISTRIBUTION_LOCALITY, 7, 1.25 }, { DISTRIBUTION_LOCALITY, 64, 1.50 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        distribution d = opened(rows[i].kind, rows[i].workers, 1000000);
        CU_ASSERT(imbalance(&d, 1000000) <= rows[i].at_most);
    }
}

static void block_gives_each_worker_one_range(void)
{
    for (size_t w = 0; w < COUNT_OF(worker_counts); w++) {
        distribution d = opened(DISTRIBUTION_BLOCK, worker_counts[w], 100003);
        worker_id last = 0;
        for (state_id s = 0; s < 100003; s++) {
            worker_id owner = distribution_owner(&d, s);
            CU_ASSERT_FATAL(owner == last || owner == last + 1);
            last = owner;
        }
        CU_ASSERT(last < worker_counts[w]);
    }
}

static void locality_keeps_whole_ranges_together(void)
{
    distribution d = opened(DISTRIBUTION_LOCALITY, 4, 1000000);
    CU_ASSERT(d.shift > 0);
    state_id split = 0, mask = ((state_id)1 << d.shift) - 1;
    for (state_id s = 1; s < 1000000; s++)
        if ((s & mask) != 0)
            split += distribution_owner(&d, s) != distribution_owner(&d, s - 1);
    CU_ASSERT_EQUAL(split, 0);
}

static void locality_uses_every_worker_at_every_stretch_of_a_search(void)
{
    distribution d = opened(DISTRIBUTION_LOCALITY, 4, 1000000);
    for (state_id from = 0; from + 100000 <= 1000000; from += 100000) {
        unsigned seen = 0;
        for (state_id s = from; s < from + 100000; s++)
            seen |= 1u << distribution_owner(&d, s);
        CU_ASSERT_EQUAL(seen, 0xf);
    }
}

static void one_worker_owns_everything(void)
{
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++) {
        distribution d = opened((distribution_kind)kind, 1, 100003);
        for (state_id s = 0; s < 100003; s += 97)
            CU_ASSERT_EQUAL(distribution_owner(&d, s), 0);
    }
}

/* A ring of `states` with a chord from each: 2 transitions a state. */
static void make_ring(lts *g, mem *m, state_id states)
{
    err e = ERR_INIT;
    *g = (lts){
        .m = m, .states = states, .transitions = 2 * (uint64_t)states, .label_bytes = 1
    };
    CU_ASSERT_EQUAL_FATAL(lts_allocate(g, &e), 0);
    for (state_id s = 0; s < states; s++) {
        g->first[s] = 2 * (uint64_t)s;
        g->target[2 * s] = (s + 1) % states;
        g->target[2 * s + 1] = (s * 7 + 3) % states;
    }
    g->first[states] = g->transitions;
}

static void crossing_edges_are_counted_as_a_naive_count_does(void)
{
    mem m = MEM_INIT;
    lts g;
    make_ring(&g, &m, 10007);
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++)
        for (size_t w = 0; w < COUNT_OF(worker_counts); w++) {
            distribution d = opened((distribution_kind)kind, worker_counts[w], g.states);
            uint64_t naive = 0;
            for (uint64_t t = 0; t < g.transitions; t++) /* transition t leaves t / 2 */
                naive += distribution_owner(&d, (state_id)(t / 2)) !=
                         distribution_owner(&d, g.target[t]);
            CU_ASSERT_EQUAL(distribution_cross_edges(&d, &g), naive);
            if (d.workers == 1) CU_ASSERT_EQUAL(naive, 0);
        }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void an_unknown_name_is_refused_with_the_list(void)
{
    err e = ERR_INIT;
    distribution d;
    CU_ASSERT_EQUAL(distribution_open(&d, "random", 2, 10, &e), ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "'random'"));
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++) {
        CU_ASSERT_PTR_NOT_NULL(
            strstr(e.text, distribution_name((distribution_kind)kind)));
        CU_ASSERT(strlen(distribution_doc((distribution_kind)kind)) > 10);
    }
}

CU_TestInfo test_distribution[] = {
    { "every state has an owner below the number of workers",
      every_state_has_an_owner_below_the_number_of_workers },
    { "no states are accepted", no_states_are_accepted },
    { "the extremes of a hash stay below the number of workers",
      the_extremes_of_a_hash_stay_below_the_number_of_workers },
    { "every worker gets its share", every_worker_gets_its_share },
    { "block gives each worker one range", block_gives_each_worker_one_range },
    { "locality keeps whole ranges together", locality_keeps_whole_ranges_together },
    { "locality uses every worker at every stretch of a search",
      locality_uses_every_worker_at_every_stretch_of_a_search },
    { "one worker owns everything", one_worker_owns_everything },
    { "crossing edges are counted as a naive count does",
      crossing_edges_are_counted_as_a_naive_count_does },
    { "an unknown name is refused with the list",
      an_unknown_name_is_refused_with_the_list },
    CU_TEST_INFO_NULL
};
