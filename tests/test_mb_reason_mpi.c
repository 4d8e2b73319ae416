/*
 * test_mb_reason_mpi.c - several ranks solve, and say why; where worker 0 is, the reason is certified.
 *
 *     mpiexec -n RANKS unit_reason_mpi THREADS
 *
 * All ranks draw the same questions.  Equation systems, which every rank has read; LTSs of which
 * every rank has its rows; models whose states are met.
 */
#include "comm/comm_mpi.h"
#include "core/random.h"
#include "lang/bes_random.h"
#include "tests/mcl_case.h"
#include "tests/naive_bes.h"
#include "tests/reason_bes.h"
#include "tests/reason_mcl.h"
#include "tests/sample_lts.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORKERS_MAX = 16, SYSTEMS = 60, QUESTIONS = 60 };

typedef struct world {
    uint32_t rank, ranks, threads;
    uint32_t cases, failed;
} world;

static void check(world *x, const char *wrong, const char *part, uint64_t seed)
{
    x->cases++;
    if (wrong == NULL) return;
    x->failed++;
    printf("FAILED rank %u of %u, %u threads: %s %llu: %s\n", x->rank, x->ranks,
           x->threads, part, (unsigned long long)seed, wrong);
}

static mb_options draw_run(random_stream *chance, mem *m)
{
    mb_options o = reason_case_options(chance, m);
    o.transport = comm_transport_find("mpi");
    return o;
}

/* ---- equation systems ---------------------------------------------------------------------- */

static const char *solve_system(const world *x, const bes *b, bool right,
                                random_stream *chance)
{
    mem m = MEM_INIT;
    reason_bes c = { .b = b,
                     .right = right,
                     .workers = x->ranks * x->threads,
                     .first = x->rank * x->threads,
                     .here = x->threads,
                     .ranks = x->ranks,
                     .o = draw_run(chance, &m) };
    return reason_bes_run(&c, chance);
}

static void systems(world *x)
{
    for (uint64_t n = 1; n <= SYSTEMS; n++) {
        random_stream chance = random_open(n, 8);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes b;
        bes_random_options o = { .variables = n % 10 == 0 ? 3000 : 60,
                                 .blocks = 1 + (uint32_t)(n % 4),
                                 .degree = 2,
                                 .and_share = (double)random_below(&chance, 11) / 10,
                                 .shape = (bes_shape)(n % BES_SHAPE_COUNT),
                                 .seed = n };
        if (bes_random(&b, &m, &o, &e) != 0) abort();
        uint8_t *right = calloc(b.vertices, 1);
        naive_bes_solve(&b, right);
        check(x, solve_system(x, &b, right[0], &chance), "system", n);
        free(right);
        bes_close(&b);
    }
}

/* ---- formulas ------------------------------------------------------------------------------ */

static void ask(world *x, const lts *g, const char *text, bool keyed, uint64_t seed)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mcl_question q;
    wide_model wide;
    enc_mcl_options o = { .capacity = 1000 };
    random_stream chance = random_open(seed, 9);
    wide_model_open(&wide, g, 1 + (uint32_t)(seed % WIDE_MODEL_WORDS));
    int code = keyed ? mcl_question_open_wide(&q, &m, text, &wide, &o, &e)
                     : mcl_question_open(&q, &m, text, g, false, &e);
    if (code == 0) {
        bool refused;
        reason_mcl c = { .q = &q,
                         .wide = keyed ? &wide : NULL,
                         .kind = (distribution_kind)(seed % DISTRIBUTION_KIND_COUNT),
                         .ranks = x->ranks,
                         .threads = x->threads,
                         .rank = (int)x->rank,
                         .right = mcl_question_meaning(&q),
                         .o = draw_run(&chance, &m) };
        check(x, reason_mcl_run(&c, &chance, &refused), keyed ? "keyed" : "rows", seed);
    }
    mcl_question_close(&q);
    if (m.now != 0) check(x, "memory was not given back", text, seed);
}

static void formulas(world *x)
{
    static const char *const some[] = {
        "[ true* ] < true > true",
        "[ true* . \"a\" ] mu X . ((< true > true) and [ not \"b\" ] X)",
        "nu X . ((< \"a\" > X) or < true* . \"c\" > true)",
    };
    for (uint64_t n = 1; n <= QUESTIONS; n++) {
        mcl_random r = { .state = n * 104729 };
        mem m = MEM_INIT;
        lts g;
        char text[2000];
        if (n % 16 == 1) g = sample_lts_random(&m, 8, 1000, 3, n); /* long rows */
        else mcl_case_lts(&r, &g, &m, 60);
        mcl_case_formula(&r, text, sizeof text);
        const char *f = n % 2 ? some[n / 2 % COUNT_OF(some)] : text;
        ask(x, &g, f, false, n);
        ask(x, &g, f, true, n);
        lts_close(&g);
    }
}

int main(int argc, char **argv)
{
    err e = ERR_INIT;
    world x = { .threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 1 };
    if (comm_mpi_start(&e) != 0) return 2;
    x.rank = comm_mpi_rank();
    x.ranks = comm_mpi_ranks();
    if (x.ranks * x.threads > WORKERS_MAX) return 2;
    systems(&x);
    formulas(&x);
    if (x.failed > 0 || x.rank == 0)
        printf("rank %u: %u cases, %u failed\n", x.rank, x.cases, x.failed);
    comm_mpi_stop();
    return x.failed > 0 || x.cases < SYSTEMS + QUESTIONS;
}
