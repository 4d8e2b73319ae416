/*
 * test_mb_mpi.c - what test_mb.c says of MB-DSOLVE on the simulator, for ranks of MPI.
 *
 *     mpiexec -n RANKS unit_mb_mpi THREADS
 *
 * All ranks draw the same systems; each runs its own workers and compares the verdict, the figures and
 * the values of its own vertices with the naive solution.
 */
#include "comm/comm_mpi.h"
#include "core/random.h"
#include "lang/bes_random.h"
#include "tests/mb_case.h"
#include "tests/naive_bes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct world {
    uint32_t rank, ranks, workers;
    uint32_t cases, failed;
} world;

static const char *const detectors[] = { "four-counter", "ring", "wave" };

static bes_random_options draw_system(random_stream *chance)
{
    bes_random_options o = { .variables = 1 + (vertex_id)random_below(chance, 200) };
    uint32_t most = o.variables < 12 ? o.variables : 12;
    o.blocks = 1 + (uint32_t)random_below(chance, most);
    o.degree = 0.5 + (double)random_below(chance, 30) / 10;
    o.and_share = (double)random_below(chance, 11) / 10;
    o.shape = (bes_shape)random_below(chance, BES_SHAPE_COUNT);
    o.seed = random_next(chance);
    return o;
}

static mb_case draw_case(random_stream *chance, const world *x, const bes *b,
                         const uint8_t *right)
{
    return (mb_case){ .b = b,
                      .right = right,
                      .workers = x->workers,
                      .ranks = x->ranks,
                      .root = (vertex_id)random_below(chance, b->vertices),
                      .exhaustive = random_below(chance, 2) == 0,
                      .choices = random_below(chance, 2) == 0,
                      .all_dependencies = random_below(chance, 2) == 0,
                      .two_hops = random_below(chance, 4) == 0,
                      .policy = (mb_policy)random_below(chance, 2),
                      .priority = (mb_priority)random_below(chance, 2),
                      .detector = detectors[random_below(chance, 3)],
                      .transport = "mpi",
                      .buffer_bytes = random_below(chance, 4) == 0 ? MB_CASE_LEAST : 0,
                      .slice = (uint32_t)random_below(chance, 3) };
}

static void run_case(world *x, const mb_case *c, uint64_t system)
{
    char file[64];
    const char *wrong = mb_case_run(c, NULL);
    x->cases++;
    if (wrong == NULL) return;
    x->failed++;
    snprintf(file, sizeof file, "mb_failure_%u.bes", x->rank);
    printf("FAILED rank %u of %u, system %llu\n", x->rank, x->ranks,
           (unsigned long long)system);
    mb_case_report(c, file, wrong);
}

static void run_system(world *x, uint64_t system)
{
    random_stream chance = random_open(system, 6);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    bes b;
    bes_random_options o = draw_system(&chance);
    if (bes_random(&b, &m, &o, &e) != 0) return;
    uint8_t *right = calloc(b.vertices, 1);
    if (right == NULL) abort();
    naive_bes_solve(&b, right);
    for (int i = 0; i < 4; i++) {
        mb_case c = draw_case(&chance, x, &b, right);
        run_case(x, &c, system);
    }
    free(right);
    bes_close(&b);
}

int main(int argc, char **argv)
{
    err e = ERR_INIT;
    world x = { 0 };
    uint32_t threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    uint64_t systems = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    if (comm_mpi_start(&e) != 0) return 2;
    x.rank = comm_mpi_rank();
    x.ranks = comm_mpi_ranks();
    x.workers = x.ranks * threads;
    for (uint64_t n = 1; n <= systems; n++) run_system(&x, n);
    if (x.failed > 0 || x.rank == 0)
        printf("rank %u: %u cases, %u failed\n", x.rank, x.cases, x.failed);
    comm_mpi_stop();
    return x.failed > 0 || x.cases == 0;
}
