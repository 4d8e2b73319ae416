/*
 * test_comm.c - what every transport and every number of workers must do alike.
 */
#include "comm/comm_sim.h"
#include "core/random.h"
#include "tests/comm_traffic.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static void tell(const traffic *t, const comm_transport *transport, uint64_t sim_seed,
                 const traffic_result *r)
{
    printf(
        "\n  %s seed %llu: pattern %d, %u workers, %u messages, %u kinds of %u.., "
        "detector %s, buffer %zu, batch %zu, reserve %u, hops %d, seed %llu: wrong %llu, "
        "received %llu; %s",
        transport->name, (unsigned long long)sim_seed, (int)t->pattern, t->workers,
        t->messages, t->kinds, t->widths[0], t->detector ? t->detector : "none",
        t->buffer_bytes, t->batch_bytes, t->reserve, (int)t->two_hops + 1,
        (unsigned long long)t->seed, (unsigned long long)r->wrong,
        (unsigned long long)r->received, r->e.text);
}

static traffic_result must_work(const traffic *t, const comm_transport *transport,
                                uint64_t sim_seed)
{
    comm_sim_options o = { .seed = sim_seed,
                           .chaos = sim_seed != 0,
                           .turns_most = 50000000 };
    traffic_result r = traffic_run(t, transport, &o);
    bool right = r.e.code == ERR_NONE && r.wrong == 0 &&
                 r.received == (uint64_t)t->workers * t->messages;
    CU_ASSERT(right);
    if (!right) tell(t, transport, sim_seed, &r);
    return r;
}

static traffic draw(random_stream *chance, uint32_t workers, uint32_t messages)
{
    static const char *const detectors[] = { NULL, "four-counter", "ring", "wave" };
    static const uint32_t widths[] = { 1, 2, 3, 7, 8, 16, 24, 100, 256, 1024 };
    traffic t = { .pattern = (traffic_pattern)random_below(chance, TRAFFIC_PATTERNS),
                  .workers = workers,
                  .messages = messages,
                  .kinds = 1 + (uint32_t)random_below(chance, 4),
                  .detector = detectors[random_below(chance, 4)],
                  .two_hops = random_below(chance, 2) == 0,
                  .reserve = random_below(chance, 2) == 0 ? 0 : 20,
                  .seed = random_next(chance) };
    for (int k = 0; k < 4; k++)
        t.widths[k] = widths[random_below(chance, COUNT_OF(widths))];
    if (random_below(chance, 2) == 0) t.buffer_bytes = 1 << 20;
    return t;
}

static void every_message_arrives_once_and_in_order(void)
{
    static const uint32_t workers[] = { 1, 2, 3, 5, 8, 64 };
    const comm_transport *sim = comm_transport_find("sim");
    random_stream chance = random_open(1, 0);
    for (size_t i = 0; i < COUNT_OF(workers); i++)
        for (int n = 0; n < 60; n++) {
            traffic t = draw(&chance, workers[i], workers[i] > 8 ? 100 : 1000);
            must_work(&t, sim, random_next(&chance) | 1);
        }
}

CU_TestInfo test_comm[] = { { "every message arrives once and in order",
                              every_message_arrives_once_and_in_order },
                            CU_TEST_INFO_NULL };
