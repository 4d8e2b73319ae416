#include "tests/mb_case.h"

#include "core/random.h"
#include "lang/bes_random.h"
#include "tests/naive_bes.h"
#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>

static const worker_id worker_counts[] = { 1, 2, 3, 4, 7 };

static void describe(const mb_case *c, uint64_t system, const char *wrong)
{
    printf("system %llu, root %u, %u workers, %s, %s, exhaustive %d, choices %d, all %d, "
           "policy %d, priority %d, buffer %zu, slice %u, hops %d, chaos %d, seed %llu: "
           "%s\n",
           (unsigned long long)system, c->root, c->workers, c->transport, c->detector,
           c->exhaustive, c->choices, c->all_dependencies, (int)c->policy,
           (int)c->priority, c->buffer_bytes, c->slice, c->two_hops + 1, c->chaos,
           (unsigned long long)c->seed, wrong);
}

static bes_random_options draw_system(random_stream *chance)
{
    bes_random_options o = { .variables = 1 + (vertex_id)random_below(chance, 40) };
    uint32_t most = o.variables < 12 ? o.variables : 12;
    o.blocks = 1 + (uint32_t)random_below(chance, most);
    if (random_below(chance, 2) == 0) o.blocks = 1;
    o.degree = 0.5 + (double)random_below(chance, 30) / 10;
    o.and_share = (double)random_below(chance, 11) / 10;
    o.shape = (bes_shape)random_below(chance, BES_SHAPE_COUNT);
    o.seed = random_next(chance);
    return o;
}

static mb_case draw_case(random_stream *chance, const bes *b, const uint8_t *right)
{
    static const char *const detectors[] = { "four-counter", "ring", "wave" };
    return (mb_case){ .b = b,
                      .right = right,
                      .workers = worker_counts[random_below(chance, 5)],
                      .root = (vertex_id)random_below(chance, b->vertices),
                      .exhaustive = random_below(chance, 3) == 0,
                      .choices = random_below(chance, 2) == 0,
                      .all_dependencies = random_below(chance, 2) == 0,
                      .two_hops = random_below(chance, 4) == 0,
                      .policy = (mb_policy)random_below(chance, 2),
                      .priority = (mb_priority)random_below(chance, 2),
                      .detector = detectors[random_below(chance, 3)],
                      .transport = "sim",
                      .seed = random_next(chance),
                      .chaos = random_below(chance, 3) > 0,
                      .slice = (uint32_t)random_below(chance, 3) };
}

static void run_random(uint64_t first, uint64_t systems, uint32_t cases)
{
    for (uint64_t n = first; n < first + systems; n++) {
        random_stream chance = random_open(n, 0);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes b;
        bes_random_options o = draw_system(&chance);
        if (bes_random(&b, &m, &o, &e) != 0) continue;
        uint8_t *right = calloc(b.vertices, 1);
        naive_bes_solve(&b, right);
        for (uint32_t i = 0; i < cases; i++) {
            mb_case c = draw_case(&chance, &b, right);
            const char *wrong = mb_case_run(&c, NULL);
            if (wrong) describe(&c, n, wrong);
            CU_ASSERT_PTR_NULL_FATAL(wrong);
        }
        free(right);
        bes_close(&b);
    }
}

static void random_systems_on_the_simulator(void) { run_random(1, 3000, 8); }

CU_TestInfo test_mb[] = {
    { "random systems have their naive solution, on any schedule",
      random_systems_on_the_simulator },
    CU_TEST_INFO_NULL,
};
