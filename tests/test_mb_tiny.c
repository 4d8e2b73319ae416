#include "tests/mb_tiny.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static void explore(const mb_tiny_case *c, const mb_tiny_options *o, size_t *states)
{
    mb_tiny_result r;
    const char *wrong = mb_tiny_explore(c, o, &mb_family_real, &r);
    *states += r.states;
    if (wrong)
        printf("\n    case %s, %s, %s, %s, slice %u, room %u, %zu states: %s\n", c->name,
               mb_tiny_mode_name(o->mode), o->policy == MB_BATCH ? "batch" : "eager",
               o->detector, o->slice, o->room, r.states, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    CU_ASSERT(wrong || r.ends > 0);
}

static void explore_all(const char *detector, uint32_t slice, uint32_t room)
{
    size_t count, states = 0, before = 0;
    const mb_tiny_case *cases = mb_tiny_cases(&count);
    printf("\n   ");
    for (size_t i = 0; i < count; i++) {
        for (int mode = 0; mode < MB_TINY_MODES; mode++)
            for (int policy = 0; policy < 2; policy++) {
                mb_tiny_options o = { .mode = (mb_tiny_mode)mode,
                                      .policy = (mb_policy)policy,
                                      .detector = detector,
                                      .slice = slice,
                                      .room = room,
                                      .most = 4000000 };
                explore(&cases[i], &o, &states);
            }
        printf(" %s:%zu", cases[i].name, states - before);
        before = states;
    }
    printf(" = %zu states\n", states);
}

static void in_any_order(void) { explore_all("four-counter", 1, 0); }
static void in_long_steps(void) { explore_all("four-counter", 0, 0); }
static void with_full_buffers(void) { explore_all("four-counter", 1, 1); }
static void under_a_ring(void) { explore_all("ring", 1, 0); }

static void the_example_of_the_paper(void)
{
    for (int mode = MB_TINY_DEPENDENCIES; mode < MB_TINY_MODES; mode += 2) {
        size_t states = 0;
        mb_tiny_options o = { .mode = (mb_tiny_mode)mode,
                              .policy = MB_BATCH,
                              .detector = "four-counter",
                              .most = 400000 };
        explore(&mb_tiny_figure_2, &o, &states);
    }
}

/* If the bytes were not the whole world, runs would part where it is made again from them. */
static void the_bytes_are_the_world(void)
{
    size_t count;
    const mb_tiny_case *cases = mb_tiny_cases(&count);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        mb_tiny_options o = { .mode = (mb_tiny_mode)(seed % MB_TINY_MODES),
                              .policy = (mb_policy)(seed / 4 % 2),
                              .detector = "four-counter",
                              .slice = 1,
                              .room = (uint32_t)(seed / 8 % 2) };
        const mb_tiny_case *c = &cases[seed % count];
        uint64_t without = mb_tiny_walk(c, &o, &mb_family_real, seed, false);
        CU_ASSERT_NOT_EQUAL(without, 0);
        CU_ASSERT_EQUAL_FATAL(without, mb_tiny_walk(c, &o, &mb_family_real, seed, true));
    }
}

CU_TestInfo test_mb_tiny[] = {
    { "the bytes of a state are the world", the_bytes_are_the_world },
    { "all interleavings give the value and a proof", in_any_order },
    { "with long steps", in_long_steps },
    { "with room for one message", with_full_buffers },
    { "the example of the paper", the_example_of_the_paper },
    { "under the detector ring", under_a_ring },
    CU_TEST_INFO_NULL,
};
