/*
 * Detectors in seeded worlds: never early, always at last, epochs in step, letters with a cause.
 * BESPOKE_TEST_SEED is the first seed, BESPOKE_TEST_CASES how many.
 */
#include "dtd/dtd.h"
#include "tests/dtd_world.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SCHEDULES = 4000 };
#else
enum { SCHEDULES = 100000 }; /* per detector */
#endif

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void print_tally(const char *name, const dtd_tally *t)
{
    double ends = (double)(t->announcements ? t->announcements : 1);
    printf(
        "\n    %s: %llu runs, %.0f steps each, %llu announcements of %.1f letters in "
        "%.1f "
        "envelopes, at most %.1f per worker and cause; %llu thawed, %llu reopened, %llu "
        "advanced, %llu put off",
        name, (unsigned long long)t->runs, (double)t->steps / (double)t->runs,
        (unsigned long long)t->announcements, (double)t->letters / ends,
        (double)t->envelopes / ends, t->most, (unsigned long long)t->thawed,
        (unsigned long long)t->reopened, (unsigned long long)t->advanced,
        (unsigned long long)t->put_off);
}

static void run_worlds(const char *name)
{
    const dtd_class *c = dtd_find(name);
    dtd_world *w = dtd_world_open();
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    uint64_t seed = from_environment("BESPOKE_TEST_SEED", 1),
             end = seed + from_environment("BESPOKE_TEST_CASES", SCHEDULES);
    dtd_tally tally = { 0 };
    const char *wrong = NULL;
    for (; seed < end && wrong == NULL; seed++) {
        dtd_shape s = dtd_world_shape(seed);
        wrong = dtd_world_run(w, c, &s, &tally);
        if (wrong) dtd_world_print(&s, name, wrong);
    }
    CU_ASSERT_PTR_NULL(wrong);
    print_tally(name, &tally);
    dtd_world_close(w);
}

static void four_counter_is_right(void) { run_worlds("four-counter"); }
static void ring_is_right(void) { run_worlds("ring"); }
static void wave_is_right(void) { run_worlds("wave"); }

/* EWD 998: no request wakes anybody, so a white round that counts right has found the end. */
static void colours_are_right(void)
{
    const dtd_class *c = dtd_find("ring");
    dtd_world *w = dtd_world_open();
    dtd_tally tally = { 0 };
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    for (uint64_t seed = 1; seed <= SCHEDULES / 10; seed++) {
        dtd_shape s = dtd_world_shape(seed);
        s.requests = false;
        CU_ASSERT_PTR_NULL(dtd_world_run(w, c, &s, &tally));
    }
    CU_ASSERT_EQUAL(tally.thawed, 0);
    dtd_world_close(w);
}

CU_TestInfo test_dtd[] = {
    { "four-counter: never early, always at last", four_counter_is_right },
    { "ring: never early, always at last", ring_is_right },
    { "wave: never early, always at last", wave_is_right },
    { "ring: woken by messages alone, the second round never fails", colours_are_right },
    CU_TEST_INFO_NULL,
};
