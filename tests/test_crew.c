#include "core/crew.h"

#include <CUnit/CUnit.h>

enum { MEMBERS = 8, STEPS = 200 };

/* Each member copies its neighbour's number of the step before: wrong unless steps do not
   overlap and everybody sees what the others wrote. */
typedef struct ring {
    uint64_t now[MEMBERS], next[MEMBERS];
    uint32_t members, steps;
    uint64_t wrong;
} ring;

static void look(void *self, uint32_t m)
{
    ring *r = self;
    r->next[m] = r->now[(m + 1) % r->members] + 1;
}

static void turn(void *self, uint32_t m)
{
    ring *r = self;
    r->now[m] = r->next[m];
}

static void lead(crew *c, void *self)
{
    ring *r = self;
    for (uint32_t i = 1; i <= r->steps; i++) {
        crew_do(c, look);
        crew_do(c, turn);
        for (uint32_t m = 0; m < r->members; m++) r->wrong += r->now[m] != i;
    }
}

static void steps_do_not_overlap(void)
{
    for (uint32_t threads = 1; threads <= 4; threads++)
        for (uint32_t members = 1; members <= MEMBERS; members++) {
            ring r = { .members = members, .steps = STEPS };
            crew_run(threads, members, lead, &r);
            CU_ASSERT_EQUAL(r.wrong, 0);
            CU_ASSERT_EQUAL(r.now[members - 1], STEPS);
        }
}

static void a_crew_may_have_nothing_to_do(void)
{
    ring r = { .members = 3 };
    crew_run(2, 3, lead, &r);
    CU_ASSERT_EQUAL(r.now[0], 0);
}

CU_TestInfo test_crew[] = { { "steps do not overlap", steps_do_not_overlap },
                            { "a crew may have nothing to do",
                              a_crew_may_have_nothing_to_do },
                            CU_TEST_INFO_NULL };
