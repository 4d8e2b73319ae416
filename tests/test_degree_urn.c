#include "vlts_bench/degree_urn.h"

#include "core/ids.h"

#include <CUnit/CUnit.h>

enum { MOST = 300 };

typedef struct drawn {
    uint64_t states, edges;
    uint64_t with[MOST + 1]; /* states of each branching */
    uint32_t least, top;
} drawn;

static drawn draw_all(const degree_mix *mix, uint64_t seed)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    degree_urn u;
    random_stream chance = random_open(seed, 0);
    drawn d = { .least = UINT32_MAX };
    CU_ASSERT_EQUAL_FATAL(degree_urn_open(&u, &m, MOST, &e), 0);
    degree_urn_fill(&u, mix, &chance);
    while (u.left > 0) {
        uint32_t before = degree_urn_left(&u, mix->top);
        uint32_t x = degree_urn_draw(&u, &chance);
        CU_ASSERT_EQUAL(degree_urn_left(&u, mix->top), before - (x == mix->top));
        CU_ASSERT_FATAL(x <= MOST);
        d.states++;
        d.edges += x;
        d.with[x]++;
        if (x < d.least) d.least = x;
        if (x > d.top) d.top = x;
    }
    degree_urn_close(&u);
    CU_ASSERT_EQUAL(m.now, 0);
    return d;
}

static void check_sums(const degree_mix *mix, uint64_t seed)
{
    drawn d = draw_all(mix, seed);
    CU_ASSERT_EQUAL(d.states, mix->states);
    CU_ASSERT_EQUAL(d.edges, mix->edges);
    CU_ASSERT(d.least >= mix->least && d.top <= mix->top);
    if (mix->with_top) CU_ASSERT_EQUAL(d.top, mix->top);
    if (mix->with_least) CU_ASSERT_EQUAL(d.least, mix->least);
}

/* From all at the least to all at the top, few states and many. */
static void every_sum_comes_out_exactly(void)
{
    static const uint64_t counts[] = { 1, 2, 3, 8, 9, 10, 50, 1000 };
    static const uint32_t bounds[][2] = { { 1, 1 }, { 1, 2 },  { 0, 5 },
                                          { 4, 6 }, { 1, 96 }, { 2, 260 } };
    uint64_t seed = 1;
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (size_t k = 0; k < COUNT_OF(bounds); k++)
            for (uint64_t step = 0; step <= 20; step++) {
                uint32_t least = bounds[k][0], top = bounds[k][1];
                uint64_t more = counts[i] * (top - least) * step / 20;
                degree_mix mix = { counts[i], counts[i] * least + more, least, top, false,
                                   false };
                check_sums(&mix, seed++);
            }
}

static void a_wanted_least_and_top_are_there(void)
{
    for (uint64_t states = 2; states < 40; states++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            uint64_t low = 17 + (states - 1), high = 1 + (states - 1) * 17;
            degree_mix mix = { states, low + (high - low) * seed / 9, 1, 17, true, true };
            check_sums(&mix, seed);
        }
}

/* Mean 3 of 1 .. 97: most are near the mean or below it, few far above. */
static void branching_is_skewed_where_there_is_room(void)
{
    degree_mix mix = { 100000, 300000, 1, 97, false, false };
    drawn d = draw_all(&mix, 5);
    uint64_t low = d.with[1] + d.with[2] + d.with[3], far = 0;
    for (uint32_t i = 10; i <= 97; i++) far += d.with[i];
    CU_ASSERT(low > 60000);
    CU_ASSERT(far > 100 && far < 5000);
}

/* Mean 3 of 1 .. 5: a bell. */
static void branching_is_a_bell_where_there_is_little(void)
{
    degree_mix mix = { 100000, 300000, 1, 5, false, false };
    drawn d = draw_all(&mix, 5);
    CU_ASSERT(d.with[3] > d.with[2] && d.with[2] > d.with[1]);
    CU_ASSERT(d.with[3] > d.with[4] && d.with[4] > d.with[5]);
}

static void refused_memory_leaves_nothing_behind(void)
{
    for (size_t n = 1; n <= 2; n++) {
        mem m = MEM_INIT;
        m.fail_at = n;
        err e = ERR_INIT;
        degree_urn u;
        CU_ASSERT_EQUAL(degree_urn_open(&u, &m, MOST, &e), ERR_LIMIT);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_degree_urn[] = {
    { "every sum comes out exactly", every_sum_comes_out_exactly },
    { "a wanted least and top are there", a_wanted_least_and_top_are_there },
    { "branching is skewed where there is room",
      branching_is_skewed_where_there_is_room },
    { "branching is a bell where there is little",
      branching_is_a_bell_where_there_is_little },
    { "refused memory leaves nothing behind", refused_memory_leaves_nothing_behind },
    CU_TEST_INFO_NULL
};
