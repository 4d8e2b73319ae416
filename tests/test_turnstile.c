#include "core/turnstile.h"

#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <sched.h>
#include <stdatomic.h>

enum { NUMBERS = 2000, THREADS = 4 };

/* Threads that take numbers in ascending order and record who passed. */
typedef struct crowd {
    turnstile gate;
    _Atomic uint64_t next;       /* the next number to take */
    uint64_t passed[NUMBERS];    /* in the order of passing; guarded by the gate */
    uint64_t count;              /* of these */
    uint64_t stop_at;            /* this number stops it; NUMBERS = nobody */
    _Atomic uint64_t sent_away;  /* who came and was turned away */
    _Atomic uint64_t smallest;   /* of those */
    _Atomic bool inside;         /* somebody is between wait and pass */
    _Atomic uint64_t collisions; /* how often somebody else was there too */
} crowd;

static void turned_away(crowd *c, uint64_t number)
{
    atomic_fetch_add(&c->sent_away, 1);
    uint64_t least = atomic_load(&c->smallest);
    while (number < least && !atomic_compare_exchange_weak(&c->smallest, &least, number))
        continue;
}

static void *walk(void *context)
{
    crowd *c = context;
    uint64_t number;
    while ((number = atomic_fetch_add(&c->next, 1)) < NUMBERS) {
        if (number % 7 == 0) sched_yield(); /* come late now and then */
        if (!turnstile_wait(&c->gate, number)) {
            turned_away(c, number);
            continue;
        }
        if (atomic_exchange(&c->inside, true)) atomic_fetch_add(&c->collisions, 1);
        c->passed[c->count++] = number;
        atomic_store(&c->inside, false);
        if (number == c->stop_at) turnstile_stop(&c->gate);
        else turnstile_pass(&c->gate);
    }
    return NULL;
}

static void run_crowd(crowd *c, uint64_t stop_at)
{
    *c = (crowd){ .stop_at = stop_at, .smallest = UINT64_MAX };
    turnstile_open(&c->gate);
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, walk, c), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    turnstile_close(&c->gate);
}

static bool passed_in_order(const crowd *c)
{
    for (uint64_t i = 0; i < c->count; i++)
        if (c->passed[i] != i) return false;
    return true;
}

static void all_pass_in_order_one_at_a_time(void)
{
    static crowd c;
    run_crowd(&c, NUMBERS);
    CU_ASSERT_EQUAL(c.count, NUMBERS);
    CU_ASSERT(passed_in_order(&c));
    CU_ASSERT_EQUAL(c.collisions, 0);
    CU_ASSERT_EQUAL(c.sent_away, 0);
}

static void after_a_stop_all_before_passed_and_none_behind(void)
{
    static const uint64_t stops[] = { 0, 1, 500, NUMBERS - 1 };
    for (size_t i = 0; i < COUNT_OF(stops); i++) {
        static crowd c;
        run_crowd(&c, stops[i]);
        CU_ASSERT_EQUAL(c.count, stops[i] + 1);
        CU_ASSERT(passed_in_order(&c));
        CU_ASSERT_EQUAL(c.sent_away, NUMBERS - stops[i] - 1);
        if (c.sent_away > 0) CU_ASSERT_EQUAL(c.smallest, stops[i] + 1);
    }
}

static void one_thread_alone_passes_and_stops(void)
{
    turnstile t;
    turnstile_open(&t);
    CU_ASSERT(turnstile_wait(&t, 0));
    turnstile_pass(&t);
    CU_ASSERT(turnstile_wait(&t, 1));
    turnstile_stop(&t);
    CU_ASSERT_FALSE(turnstile_wait(&t, 2));
    CU_ASSERT_FALSE(turnstile_wait(&t, 200));
    turnstile_close(&t);
}

CU_TestInfo test_turnstile[] = {
    { "all pass in order, one at a time", all_pass_in_order_one_at_a_time },
    { "after a stop all before passed and none behind",
      after_a_stop_all_before_passed_and_none_behind },
    { "one thread alone passes and stops", one_thread_alone_passes_and_stops },
    CU_TEST_INFO_NULL
};
