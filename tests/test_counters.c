/*
 * test_counters.c - what is counted is counted; what is not is not known.
 */
#include "core/counters.h"

#include <CUnit/CUnit.h>
#include <omp.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGES = 500, PAGE = 4096 };

/* Touch fresh pages, one by one. */
static void fault(void)
{
    char *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(p, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < PAGES; i++) ((volatile char *)p)[i * PAGE] = 1;
    munmap(p, (size_t)PAGES * PAGE);
}

static void page_faults_are_counted_everywhere(void)
{
    counters c;
    counters_prepare();
    counters_start(&c);
    counters_values none = counters_stop(&c);
    counters_start(&c);
    fault();
    counters_values v = counters_stop(&c);
    CU_ASSERT(none.known[COUNTERS_PAGE_FAULTS] && none.value[COUNTERS_PAGE_FAULTS] < 100);
    CU_ASSERT(v.known[COUNTERS_PAGE_FAULTS]);
    CU_ASSERT(v.value[COUNTERS_PAGE_FAULTS] >= PAGES);
    CU_ASSERT(v.value[COUNTERS_PAGE_FAULTS] < 10 * PAGES); /* sanitizers touch some too */
}

/* On a busy machine a sleep may be over before the thread has given way: that is no switch. */
static void who_sleeps_is_switched(void)
{
    counters c;
    counters_prepare();
    counters_start(&c);
    for (int i = 0; i < 20; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    counters_values v = counters_stop(&c);
    CU_ASSERT(v.known[COUNTERS_SWITCHES] && v.value[COUNTERS_SWITCHES] >= 10);
}

static void each_thread_has_its_own(void)
{
    counters_values v[2];
    counters_prepare();
#pragma omp parallel num_threads(2)
    {
        counters c;
        int me = omp_get_thread_num();
        counters_start(&c);
        if (me == 1) fault();
        v[me] = counters_stop(&c);
    }
    CU_ASSERT(v[0].value[COUNTERS_PAGE_FAULTS] < 100);
    CU_ASSERT(v[1].value[COUNTERS_PAGE_FAULTS] >= PAGES);
}

static void what_is_not_known_is_not_zero_but_unknown(void)
{
    counters c;
    counters_prepare();
    counters_start(&c);
    volatile uint64_t work = 0;
    for (int i = 0; i < 1000000; i++) work = work + 1;
    counters_values v = counters_stop(&c);
    if (v.known[COUNTERS_CYCLES]) CU_ASSERT(v.value[COUNTERS_CYCLES] > 1000000);
    if (v.known[COUNTERS_INSTRUCTIONS])
        CU_ASSERT(v.value[COUNTERS_INSTRUCTIONS] > 1000000);
    for (counters_id id = 0; id < COUNTERS_COUNT; id++)
        CU_ASSERT(v.known[id] || v.value[id] == 0);
}

static void a_second_one_in_a_thread_takes_nothing_from_the_first(void)
{
    counters first, second;
    counters_prepare();
    counters_start(&first);
    counters_start(&second);
    fault();
    counters_values s = counters_stop(&second), f = counters_stop(&first);
    CU_ASSERT(s.value[COUNTERS_PAGE_FAULTS] >= PAGES);
    CU_ASSERT(f.value[COUNTERS_PAGE_FAULTS] >= PAGES);
}

static void known_is_what_one_of_two_knows(void)
{
    counters_values sum = { .known = { false } }, one = { .known = { false } };
    one.known[COUNTERS_CYCLES] = true;
    one.value[COUNTERS_CYCLES] = 7;
    counters_add(&sum, &one);
    counters_add(&sum, &one);
    counters_add(&sum, &(counters_values){ .known = { false } });
    CU_ASSERT(sum.known[COUNTERS_CYCLES] && sum.value[COUNTERS_CYCLES] == 14);
    CU_ASSERT_FALSE(sum.known[COUNTERS_INSTRUCTIONS]);
}

static void the_names_are_papi_s_and_stand_by_their_meaning(void)
{
    CU_ASSERT_STRING_EQUAL(counters_name(COUNTERS_PAGE_FAULTS), "perf::PAGE-FAULTS");
    CU_ASSERT_STRING_EQUAL(counters_doc(COUNTERS_L3_MISSES), "misses of L3");
    for (counters_id a = 0; a < COUNTERS_COUNT; a++)
        for (counters_id b = 0; b < a; b++)
            CU_ASSERT_STRING_NOT_EQUAL(counters_name(a), counters_name(b));
}

CU_TestInfo test_counters[] = {
    { "page faults are counted everywhere", page_faults_are_counted_everywhere },
    { "who sleeps is switched", who_sleeps_is_switched },
    { "each thread has its own", each_thread_has_its_own },
    { "what is not known is not zero but unknown",
      what_is_not_known_is_not_zero_but_unknown },
    { "a second one in a thread takes nothing from the first",
      a_second_one_in_a_thread_takes_nothing_from_the_first },
    { "known is what one of two knows", known_is_what_one_of_two_knows },
    { "the names are PAPI's and stand by their meaning",
      the_names_are_papi_s_and_stand_by_their_meaning },
    CU_TEST_INFO_NULL
};
