/*
 * test_comm_plan.c - how much memory, and on which way.
 */
#include "comm/comm_inner.h"
#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static int handle(void *self, worker_id from, const void *at, size_t count, err *e)
{
    (void)self;
    (void)from;
    (void)at;
    (void)count;
    (void)e;
    return 0;
}

static const comm_kind kinds[] = { { "a", 16, 0, handle }, { "b", 8, 0, handle } };

static comm_config config_of(uint32_t workers, bool two_hops, size_t bytes)
{
    return (comm_config){ .workers = workers,
                          .kinds = kinds,
                          .kind_count = 2,
                          .channels = 1,
                          .detector = dtd_find("wave"),
                          .buffer_bytes = bytes,
                          .two_hops = two_hops };
}

/* From anywhere to anywhere in two hops, over neighbours that have numbers of their own. */
static void every_way_has_two_hops_at_most(void)
{
    for (uint32_t workers = 1; workers <= 70; workers++) {
        comm_config c = config_of(workers, true, 1 << 20);
        comm_plan p;
        comm_plan_make(&p, &c, 0);
        for (worker_id a = 0; a < workers; a++)
            for (worker_id b = 0; b < workers; b++) {
                worker_id hop = comm_plan_hop(&p, workers, a, b);
                CU_ASSERT_FATAL(hop < workers);
                CU_ASSERT_EQUAL(comm_plan_hop(&p, workers, hop, b), b);
                CU_ASSERT(comm_plan_neighbour(&p, a, hop) < p.neighbours);
            }
    }
}

static void neighbours_have_numbers_of_their_own(void)
{
    for (uint32_t workers = 1; workers <= 70; workers++) {
        comm_config c = config_of(workers, true, 1 << 20);
        comm_plan p;
        comm_plan_make(&p, &c, 0);
        for (worker_id a = 0; a < workers; a++) {
            worker_id of[70];
            memset(of, 0xff, sizeof of);
            for (worker_id b = 0; b < workers; b++) {
                if (comm_plan_hop(&p, workers, a, b) != b) continue;
                uint32_t n = comm_plan_neighbour(&p, a, b);
                CU_ASSERT_EQUAL(of[n], UINT32_MAX);
                of[n] = b;
            }
        }
    }
}

/* What a batch of 4 KiB open and one under way for every neighbour and kind costs a worker. */
static void two_hops_need_the_root_of_the_memory(void)
{
    static const uint32_t workers[] = { 2, 64, 1024 };
    size_t direct[3], hops[3];
    for (int i = 0; i < 3; i++) {
        comm_config c = config_of(workers[i], false, 0);
        size_t least[2] = { comm_plan_least(&c) };
        direct[i] = comm_plan_ample(&c);
        c.two_hops = true;
        least[1] = comm_plan_least(&c);
        hops[i] = comm_plan_ample(&c);
        printf(
            "\n    %4u workers, bytes of each: direct %zu ample, %zu least; two hops %zu "
            "ample, %zu least",
            workers[i], direct[i], least[0], hops[i], least[1]);
    }
    printf("\n  ");
    CU_ASSERT(direct[2] > 14 * direct[1]);
    CU_ASSERT(hops[2] < 5 * hops[1]);
    CU_ASSERT(hops[2] < direct[2] / 6);
}

static void a_plan_fits_its_memory(void)
{
    random_stream chance = random_open(4, 0);
    for (int n = 0; n < 3000; n++) {
        comm_config c = config_of(1 + (uint32_t)random_below(&chance, 200),
                                  random_below(&chance, 2) == 0, 0);
        size_t least = comm_plan_least(&c);
        c.buffer_bytes = least + random_below(&chance, n % 2 ? 1000 : 4 << 20);
        c.batch_bytes = random_below(&chance, 3) == 0 ? random_below(&chance, 100000) : 0;
        comm_plan p;
        comm_plan_make(&p, &c, (worker_id)random_below(&chance, c.workers));
        bool right = p.bytes <= c.buffer_bytes && p.batches >= 2 && p.window >= 1 &&
                     p.batch_bytes >= COMM_HEADER_BYTES + 32 &&
                     p.passed_batches == (c.two_hops ? p.batches : 0);
        CU_ASSERT(right);
        if (!right) printf("\n  %u workers, %zu bytes", c.workers, c.buffer_bytes);
    }
}

static void too_little_memory_is_told_with_what_is_enough(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_config c = config_of(5, false, 0);
    size_t least = comm_plan_least(&c);
    c.buffer_bytes = least - 1;
    char wanted[40];
    snprintf(wanted, sizeof wanted, "%zu are enough", least);
    CU_ASSERT_EQUAL(comm_net_open(&net, &c, comm_transport_find("sim"), NULL, &m, &e),
                    ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, wanted));
    CU_ASSERT_EQUAL(m.now, 0);
    c.buffer_bytes = least;
    err none = ERR_INIT;
    CU_ASSERT_EQUAL(comm_net_open(&net, &c, comm_transport_find("sim"), NULL, &m, &none),
                    0);
    comm_net_close(net);
}

static void the_nth_allocation_fails(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (size_t n = 1;; n++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            comm_net *net;
            comm_config c = config_of(3, k == 0, 1 << 18);
            m.fail_at = n;
            int code = comm_net_open(&net, &c, all[k], NULL, &m, &e);
            CU_ASSERT(code == (m.calls >= n ? ERR_LIMIT : 0));
            CU_ASSERT((net == NULL) == (code != 0));
            comm_net_close(net);
            CU_ASSERT_EQUAL(m.now, 0);
            if (code == 0) break;
            CU_ASSERT_FATAL(n < 100);
        }
}

CU_TestInfo test_comm_plan[] = {
    { "every way has two hops at most", every_way_has_two_hops_at_most },
    { "neighbours have numbers of their own", neighbours_have_numbers_of_their_own },
    { "two hops need the root of the memory", two_hops_need_the_root_of_the_memory },
    { "a plan fits its memory", a_plan_fits_its_memory },
    { "too little memory is told with what is enough",
      too_little_memory_is_told_with_what_is_enough },
    { "the n-th allocation fails", the_nth_allocation_fails },
    CU_TEST_INFO_NULL
};
