#include "core/random.h"

#include <CUnit/CUnit.h>

/* The first numbers of splitmix64 for seed 1234567, as its authors publish them. */
static void splitmix_gives_the_published_numbers(void)
{
    static const uint64_t published[] = { 6457827717110365317u, 3203168211198807973u,
                                          9817491932198370423u, 4593380528125082431u,
                                          16408922859458223821u };
    uint64_t x = 1234567;
    for (int i = 0; i < 5; i++) CU_ASSERT_EQUAL(random_split(&x), published[i]);
}

/* The first numbers of xoshiro256** for the state 1, 2, 3, 4, likewise. */
static void xoshiro_gives_the_published_numbers(void)
{
    static const uint64_t published[] = { 11520u, 0u, 1509978240u, 1215971899390074240u,
                                          1216172134540287360u };
    random_stream r = { { 1, 2, 3, 4 } };
    for (int i = 0; i < 5; i++) CU_ASSERT_EQUAL(random_next(&r), published[i]);
}

static void streams_and_seeds_differ(void)
{
    random_stream a = random_open(1, 0), b = random_open(1, 1), c = random_open(2, 0);
    random_stream same = random_open(1, 0);
    uint64_t x = random_next(&a);
    CU_ASSERT_EQUAL(x, random_next(&same));
    CU_ASSERT_NOT_EQUAL(x, random_next(&b));
    CU_ASSERT_NOT_EQUAL(x, random_next(&c));
}

/* With 100,000 throws a face deviates by three in a hundred only once in a million. */
static void numbers_below_a_bound_are_even(void)
{
    random_stream r = random_open(7, 7);
    unsigned faces[6] = { 0 };
    for (int i = 0; i < 600000; i++) {
        uint64_t x = random_below(&r, 6);
        CU_ASSERT_FATAL(x < 6);
        faces[x]++;
    }
    for (int i = 0; i < 6; i++) CU_ASSERT(faces[i] > 97000 && faces[i] < 103000);
}

static void the_largest_bound_is_reached_but_not_passed(void)
{
    random_stream r = random_open(3, 0);
    uint64_t bound = UINT64_C(1) << 32, most = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t x = random_below(&r, bound);
        CU_ASSERT_FATAL(x < bound);
        if (x > most) most = x;
    }
    CU_ASSERT(most > bound - bound / 1000);
    for (int i = 0; i < 100; i++) CU_ASSERT_EQUAL(random_below(&r, 1), 0);
}

CU_TestInfo test_random[] = {
    { "splitmix gives the published numbers", splitmix_gives_the_published_numbers },
    { "xoshiro gives the published numbers", xoshiro_gives_the_published_numbers },
    { "streams and seeds differ", streams_and_seeds_differ },
    { "numbers below a bound are even", numbers_below_a_bound_are_even },
    { "the largest bound is reached but not passed",
      the_largest_bound_is_reached_but_not_passed },
    CU_TEST_INFO_NULL
};
