#include "core/distribution.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t rank_counts[] = { 1, 2, 3, 7, 16, 61, 1000 };
static const state_id state_counts[] = { 0,      1,      2,         3,    5,
                                         60,     127,    1000,      1024, 65537,
                                         100003, 999999, STATES_MAX };

/* Every combination; its name is printed where a check fails. */
static void for_all(bool (*holds)(const distribution *d), uint32_t threads)
{
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++)
        for (size_t r = 0; r < COUNT_OF(rank_counts); r++)
            for (size_t n = 0; n < COUNT_OF(state_counts); n++) {
                distribution d = distribution_of((distribution_kind)kind, rank_counts[r],
                                                 threads, state_counts[n]);
                bool fine = holds(&d);
                if (!fine)
                    printf("\n  %s, %u ranks, %u threads, %u states\n",
                           distribution_name(d.kind), d.ranks, d.threads, d.states);
                CU_ASSERT(fine);
            }
}

/* Up to `limit` states, evenly over the whole range, the last one among them. */
static uint32_t sample_count(const distribution *d)
{
    return d->states < 2000 ? d->states : 2000;
}

static state_id sample(const distribution *d, uint32_t i)
{
    if (d->states <= 2000) return i;
    return (state_id)((uint64_t)(d->states - 1) * i / 1999);
}

static bool goes_there_and_back(const distribution *d)
{
    for (uint32_t i = 0; i < sample_count(d); i++) {
        state_id s = sample(d, i), place = distribution_place(d, s);
        if (place >= d->states || distribution_state(d, place) != s) return false;
        if (distribution_place(d, distribution_state(d, s)) != s) return false;
        if (distribution_rank(d, place) != place / d->range ||
            distribution_rank(d, place) >= d->ranks)
            return false;
    }
    return true;
}

static void every_state_has_a_place_and_every_place_its_state(void)
{
    for_all(goes_there_and_back, 1);
}

static bool is_a_permutation(const distribution *d)
{
    if (d->states > 100003) return true;
    bool *taken = calloc((size_t)d->states + 1, 1), fine = true;
    for (state_id s = 0; s < d->states; s++) {
        state_id place = distribution_place(d, s);
        fine = fine && place < d->states && !taken[place];
        if (fine) taken[place] = true;
    }
    free(taken);
    return fine;
}

static void no_two_states_have_the_same_place(void) { for_all(is_a_permutation, 1); }

static bool has_room_and_no_more(const distribution *d)
{
    uint64_t room = (uint64_t)d->range * d->ranks, chunk = UINT64_C(1) << d->shift;
    return d->range > 0 && room >= d->states &&
           (d->states == 0 || room < d->states + chunk * d->ranks + d->ranks);
}

static void ranges_are_as_long_as_they_must_be(void) { for_all(has_room_and_no_more, 1); }

static bool has_nothing_behind_the_end(const distribution *d)
{
    return distribution_state(d, d->states) == STATE_NONE &&
           distribution_state(d, STATE_NONE) == STATE_NONE;
}

static void places_behind_the_end_are_empty(void)
{
    for_all(has_nothing_behind_the_end, 1);
}

static bool has_owners(const distribution *d)
{
    for (uint32_t i = 0; i < sample_count(d); i++) {
        state_id place = sample(d, i), local = place % d->range;
        uint32_t thread = local / d->unit % d->threads;
        if (distribution_thread(d, local) != thread ||
            distribution_owner(d, place) != place / d->range * d->threads + thread)
            return false;
    }
    return true;
}

static void threads_take_turns_with_units(void)
{
    for_all(has_owners, 1);
    for_all(has_owners, 2);
    for_all(has_owners, 7);
}

static bool keeps_numbers(const distribution *d)
{
    if (d->ranks > 1 && d->kind != DISTRIBUTION_BLOCK) return true;
    for (uint32_t i = 0; i < sample_count(d); i++)
        if (distribution_place(d, sample(d, i)) != sample(d, i)) return false;
    return d->ranks > 1 || d->range == (d->states ? d->states : 1);
}

static void one_rank_and_block_keep_the_numbers_of_the_file(void)
{
    for_all(keeps_numbers, 1);
    for_all(keeps_numbers, 4);
}

/* Largest number of states of a worker over the fair number. */
static double imbalance(distribution_kind kind, uint32_t ranks, uint32_t threads,
                        state_id states)
{
    distribution d = distribution_of(kind, ranks, threads, states);
    uint32_t workers = ranks * threads, most = 0;
    uint32_t *held = calloc(workers, sizeof *held);
    for (state_id s = 0; s < states; s++)
        held[distribution_owner(&d, distribution_place(&d, s))]++;
    for (worker_id w = 0; w < workers; w++)
        if (held[w] > most) most = held[w];
    free(held);
    return (double)most * workers / states;
}

static void every_worker_gets_its_share(void)
{
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++) {
        distribution_kind k = (distribution_kind)kind;
        CU_ASSERT(imbalance(k, 2, 1, 1000000) <= 1.02);
        CU_ASSERT(imbalance(k, 7, 1, 1000000) <= 1.02);
        CU_ASSERT(imbalance(k, 64, 1, 1000000) <= 1.02);
        CU_ASSERT(imbalance(k, 1, 4, 1000000) <= 1.02);
        CU_ASSERT(imbalance(k, 3, 2, 1000000) <= 1.02);
        CU_ASSERT(imbalance(k, 2, 2, 10000) <= 1.04);
    }
}

/* Of neighbouring states, and of those a power of two apart, how many share a rank? */
static double together(const distribution *d, state_id distance)
{
    uint32_t same = 0;
    for (state_id s = 0; s + distance < d->states; s++)
        same += distribution_rank(d, distribution_place(d, s)) ==
                distribution_rank(d, distribution_place(d, s + distance));
    return (double)same / (d->states - distance);
}

static void hash_scatters_states_at_any_distance(void)
{
    for (uint32_t ranks = 2; ranks <= 8; ranks++) {
        distribution d = distribution_of(DISTRIBUTION_HASH, ranks, 1, 100000);
        for (state_id distance = 1; distance <= 65536; distance *= 2) {
            double share = together(&d, distance);
            CU_ASSERT(share > 0.97 / ranks && share < 1.03 / ranks);
        }
    }
}

/* Every rank has its part of every stretch of the file: a search keeps all of them busy. */
static bool every_rank_has_its_part_of_every_stretch(const distribution *d,
                                                     state_id stretch, double tolerance)
{
    for (state_id from = 0; from + stretch <= d->states; from += stretch) {
        uint32_t held[16] = { 0 };
        for (state_id s = from; s < from + stretch; s++)
            held[distribution_rank(d, distribution_place(d, s))]++;
        for (uint32_t r = 0; r < d->ranks; r++) {
            double fair = (double)stretch / d->ranks;
            if (held[r] < fair * (1 - tolerance) || held[r] > fair * (1 + tolerance))
                return false;
        }
    }
    return true;
}

static void hash_and_locality_spread_every_stretch(void)
{
    distribution hash = distribution_of(DISTRIBUTION_HASH, 4, 1, 1000000);
    CU_ASSERT(every_rank_has_its_part_of_every_stretch(&hash, 10000, 0.1));
    distribution locality = distribution_of(DISTRIBUTION_LOCALITY, 4, 1, 1000000);
    CU_ASSERT(every_rank_has_its_part_of_every_stretch(&locality, 200000, 0.3));
}

static void locality_keeps_chunks_together(void)
{
    distribution d = distribution_of(DISTRIBUTION_LOCALITY, 4, 1, 1000000);
    CU_ASSERT_EQUAL(d.shift, 10);
    CU_ASSERT_EQUAL(d.range % 1024, 0);
    state_id split = 0;
    for (state_id s = 1; s < d.states; s++)
        if (s % 1024 != 0)
            split += distribution_place(&d, s) != distribution_place(&d, s - 1) + 1;
    CU_ASSERT_EQUAL(split, 0);
    CU_ASSERT(distribution_of(DISTRIBUTION_LOCALITY, 4, 1, 1000).shift < 3);
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

static worker_id naive_owner(const distribution *d, state_id s)
{
    state_id place = distribution_place(d, s), local = place % d->range;
    return place / d->range * d->threads + local / d->unit % d->threads;
}

static void crossing_edges_are_counted_as_a_naive_count_does(void)
{
    mem m = MEM_INIT;
    lts g;
    make_ring(&g, &m, 10007);
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++)
        for (uint32_t shape = 0; shape < 9; shape++) {
            distribution d = distribution_of((distribution_kind)kind, shape / 3 + 1,
                                             shape % 3 + 1, g.states);
            uint64_t naive = 0;
            for (uint64_t t = 0; t < g.transitions; t++) /* transition t leaves t / 2 */
                naive +=
                    naive_owner(&d, (state_id)(t / 2)) != naive_owner(&d, g.target[t]);
            CU_ASSERT_EQUAL(distribution_cross_edges(&d, &g), naive);
            CU_ASSERT_EQUAL(naive == 0, shape == 0);
        }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void an_unknown_name_is_refused_with_the_list(void)
{
    err e = ERR_INIT;
    distribution_kind kind;
    CU_ASSERT_EQUAL(distribution_find(&kind, "random", &e), ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "'random'"));
    for (int k = 0; k < DISTRIBUTION_KIND_COUNT; k++) {
        const char *name = distribution_name((distribution_kind)k);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, name));
        CU_ASSERT(strlen(distribution_doc((distribution_kind)k)) > 10);
        err none = ERR_INIT;
        CU_ASSERT_EQUAL(distribution_find(&kind, name, &none), 0);
        CU_ASSERT_EQUAL((int)kind, k);
    }
}

CU_TestInfo test_distribution[] = {
    { "every state has a place and every place its state",
      every_state_has_a_place_and_every_place_its_state },
    { "no two states have the same place", no_two_states_have_the_same_place },
    { "ranges are as long as they must be", ranges_are_as_long_as_they_must_be },
    { "places behind the end are empty", places_behind_the_end_are_empty },
    { "threads take turns with units", threads_take_turns_with_units },
    { "one rank, and block, keep the numbers of the file",
      one_rank_and_block_keep_the_numbers_of_the_file },
    { "every worker gets its share", every_worker_gets_its_share },
    { "hash scatters states at any distance", hash_scatters_states_at_any_distance },
    { "hash and locality spread every stretch", hash_and_locality_spread_every_stretch },
    { "locality keeps chunks together", locality_keeps_chunks_together },
    { "crossing edges are counted as a naive count does",
      crossing_edges_are_counted_as_a_naive_count_does },
    { "an unknown name is refused with the list",
      an_unknown_name_is_refused_with_the_list },
    CU_TEST_INFO_NULL
};
