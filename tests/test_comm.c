/*
 * test_comm.c - what every transport and every number of workers must do alike.
 */
#include "comm/comm_sim.h"
#include "core/random.h"
#include "tests/comm_traffic.h"
#include "tests/comm_tree.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

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

/* The simulator is tried often, as its seeds are many; threads have their own chance. */
static int tries(const comm_transport *t, uint32_t workers)
{
    if (strcmp(t->name, "sim") == 0) return workers > 8 ? 25 : 60;
    return workers > 8 ? 3 : 12;
}

static const uint32_t worker_counts[] = { 1, 2, 3, 5, 8, 64 };

static void every_message_arrives_once_and_in_order(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    random_stream chance = random_open(1, 0);
    uint64_t full = 0, aside = 0, passed = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++)
            for (int n = 0; n < tries(all[k], worker_counts[i]); n++) {
                uint32_t workers = worker_counts[i];
                traffic t = draw(&chance, workers, workers > 8 ? 100 : 1000);
                traffic_result r = must_work(&t, all[k], random_next(&chance) | 1);
                full += r.full;
                aside += r.aside;
                passed += r.passed;
            }
    CU_ASSERT(full > 1000 && aside > 1000 && passed > 1000); /* all ways were walked */
}

static void a_thousand_workers(void)
{
    const comm_transport *sim = comm_transport_find("sim");
    for (int hops = 0; hops < 2; hops++) {
        traffic t = { .pattern = TRAFFIC_UNIFORM,
                      .workers = 1024,
                      .messages = 30,
                      .kinds = 1,
                      .widths = { 16 },
                      .detector = "wave",
                      .two_hops = hops == 1,
                      .seed = 7 };
        must_work(&t, sim, 0);
        t.pattern = TRAFFIC_TO_ONE;
        must_work(&t, sim, 5);
    }
}

/* Two batches and windows of one: whatever is sent, somebody is full. */
static void tiny_buffers_do_not_lock(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < TRAFFIC_PATTERNS; p++)
            for (int hops = 0; hops < 2; hops++) {
                traffic t = { .pattern = (traffic_pattern)p,
                              .workers = 9,
                              .messages = 500,
                              .kinds = 4,
                              .widths = { 16, 8, 3, 40 },
                              .detector = "ring",
                              .two_hops = hops == 1,
                              .seed = (uint64_t)p };
                traffic_result r = must_work(&t, all[k], (uint64_t)p + 1);
                CU_ASSERT(r.full > 0);
            }
}

static void memory_is_the_parameter_whatever_the_traffic(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < TRAFFIC_PATTERNS; p++) {
            traffic t = { .pattern = (traffic_pattern)p,
                          .workers = 4,
                          .messages = 200,
                          .kinds = 2,
                          .widths = { 16, 64 },
                          .detector = "four-counter",
                          .buffer_bytes = 40000,
                          .seed = 3 };
            traffic_result few = must_work(&t, all[k], 1);
            t.messages *= 100;
            traffic_result many = must_work(&t, all[k], 1);
            CU_ASSERT_EQUAL(few.peak, many.peak);
            CU_ASSERT_EQUAL(few.buffers, 4 * t.buffer_bytes);
            CU_ASSERT(many.full > 0);
        }
}

static void tell_tree(const tree_case *c, const comm_transport *t, uint64_t sim_seed,
                      const tree_result *r)
{
    printf(
        "\n  %s seed %llu: %s, %u workers, %u channels, %u epochs, size %u, buffer %zu, "
        "reserve %d, hops %d, seed %llu: wrong %llu, nodes %llu; %s",
        t->name, (unsigned long long)sim_seed, c->detector->name, c->workers, c->channels,
        c->epochs, c->size, c->buffer_bytes, (int)c->reserve, (int)c->two_hops + 1,
        (unsigned long long)c->seed, (unsigned long long)r->wrong,
        (unsigned long long)r->nodes, r->e.text);
}

static tree_result tree_must_work(const tree_case *c, const comm_transport *t,
                                  uint64_t sim_seed)
{
    comm_sim_options o = { .seed = sim_seed,
                           .chaos = sim_seed != 0,
                           .turns_most = 50000000 };
    tree_result r = tree_run(c, t, &o);
    CU_ASSERT(r.e.code == ERR_NONE && r.wrong == 0);
    if (r.e.code != ERR_NONE || r.wrong != 0) tell_tree(c, t, sim_seed, &r);
    return r;
}

static tree_case draw_tree(random_stream *chance, uint32_t workers)
{
    size_t detectors;
    const dtd_class *const *all = dtd_list(&detectors);
    return (tree_case){ .workers = workers,
                        .channels = 1 + (uint32_t)random_below(chance, TREE_CHANNELS_MAX),
                        .epochs = 1 + (uint32_t)random_below(chance, TREE_EPOCHS_MAX),
                        .size = (uint32_t)random_below(chance, 40),
                        .detector = all[random_below(chance, detectors)],
                        .buffer_bytes = random_below(chance, 2) == 0 ? 0 : 1 << 20,
                        .two_hops = random_below(chance, 2) == 0,
                        .reserve = random_below(chance, 2) == 0,
                        .seed = random_next(chance) };
}

static void every_detector_ends_every_forest_and_none_early(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    random_stream chance = random_open(2, 0);
    uint64_t nodes = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++)
            for (int n = 0; n < tries(all[k], worker_counts[i]); n++) {
                tree_case c = draw_tree(&chance, worker_counts[i]);
                nodes += tree_must_work(&c, all[k], random_next(&chance) | 1).nodes;
            }
    CU_ASSERT(nodes > 100000);
}

CU_TestInfo test_comm[] = { { "every message arrives once and in order",
                              every_message_arrives_once_and_in_order },
                            { "a thousand workers", a_thousand_workers },
                            { "tiny buffers do not lock", tiny_buffers_do_not_lock },
                            { "memory is the parameter, whatever the traffic",
                              memory_is_the_parameter_whatever_the_traffic },
                            { "every detector ends every forest, and none early",
                              every_detector_ends_every_forest_and_none_early },
                            CU_TEST_INFO_NULL };
