/*
 * test_mb_reason.c - what several workers have found they can say why, and the checker agrees.
 */
#include "algorithms/mb_reason.h"

#include "comm/comm_sim.h"
#include "encodings/enc_bes_part.h"
#include "lang/bes_random.h"
#include "tests/mcl_case.h"
#include "tests/naive_bes.h"
#include "tests/naive_mcl.h"
#include "tests/reason_bes.h"
#include "tests/reason_mcl.h"
#include "tests/sample_lts.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const worker_id worker_counts[] = { 1, 2, 3, 5 };

/* On the simulator or on threads; the options of the simulator are `sim`. */
static mb_options draw_run(random_stream *chance, mem *m, comm_sim_options *sim,
                           bool threads)
{
    mb_options o = reason_case_options(chance, m);
    *sim = (comm_sim_options){ .seed = random_next(chance),
                               .chaos = random_below(chance, 3) > 0,
                               .turns_most = 5000000 };
    o.transport = comm_transport_find(threads ? "threads" : "sim");
    if (!threads) o.transport_options = sim;
    return o;
}

static void expect(const char *wrong, uint64_t seed, worker_id workers)
{
    if (wrong) printf("\nseed %" PRIu64 ", %u workers: %s\n", seed, workers, wrong);
    CU_ASSERT_PTR_NULL_FATAL(wrong);
}

/* ---- equation systems ---------------------------------------------------------------------- */

static bes_random_options draw_system(random_stream *chance)
{
    bes_random_options o = { .variables = 1 + (vertex_id)random_below(chance, 60) };
    uint32_t most = o.variables < 8 ? o.variables : 8;
    o.blocks = random_below(chance, 3) ? 1 + (uint32_t)random_below(chance, most) : 1;
    o.degree = 0.5 + (double)random_below(chance, 30) / 10;
    if (random_below(chance, 20) == 0) o.variables = 200, o.degree = 100; /* long rows */
    o.and_share = (double)random_below(chance, 11) / 10;
    o.shape = (bes_shape)random_below(chance, BES_SHAPE_COUNT);
    o.seed = random_next(chance);
    return o;
}

static const char *solve_system(const bes *b, bool right, vertex_id root,
                                random_stream *chance, bool threads, worker_id workers)
{
    mem m = MEM_INIT;
    comm_sim_options sim;
    reason_bes c = { .b = b,
                     .root = root,
                     .right = right,
                     .workers = workers,
                     .here = workers,
                     .ranks = 1 };
    c.o = draw_run(chance, &m, &sim, threads);
    return reason_bes_run(&c, chance);
}

static void run_systems(uint64_t first, uint64_t systems, int cases, bool threads)
{
    for (uint64_t n = first; n < first + systems; n++) {
        random_stream chance = random_open(n, 3);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes b;
        bes_random_options o = draw_system(&chance);
        if (bes_random(&b, &m, &o, &e) != 0) continue;
        uint8_t *right = calloc(b.vertices, 1);
        naive_bes_solve(&b, right);
        for (int i = 0; i < cases; i++) {
            worker_id workers = worker_counts[random_below(&chance, 4)];
            vertex_id root = (vertex_id)random_below(&chance, b.vertices);
            expect(solve_system(&b, right[root], root, &chance, threads, workers), n,
                   workers);
        }
        free(right);
        bes_close(&b);
    }
}

static void systems_on_the_simulator(void) { run_systems(1, 2000, 6, false); }
static void systems_on_threads(void) { run_systems(1, 100, 3, true); }

/* ---- formulas ------------------------------------------------------------------------------ */

enum { NUMBERED, NUMBERED_RANKS, KEYED, KEYED_THREADS, SHAPES };

typedef struct tally {
    uint64_t solved[SHAPES];
} tally;

static void ask_parts(mcl_question *q, const wide_model *wide, bool right, int shape,
                      uint64_t seed, random_stream *chance, tally *t)
{
    comm_sim_options sim;
    worker_id workers = worker_counts[random_below(chance, 4)];
    bool threads = shape == KEYED_THREADS || (shape == NUMBERED && seed % 8 == 0);
    bool one = shape == NUMBERED || shape == KEYED_THREADS, refused;
    reason_mcl c = { .q = q,
                     .wide = wide,
                     .kind =
                         (distribution_kind)random_below(chance, DISTRIBUTION_KIND_COUNT),
                     .ranks = one ? 1 : workers,
                     .threads = one ? workers : 1,
                     .rank = one ? 0 : -1,
                     .right = right };
    c.o = draw_run(chance, q->m, &sim, threads);
    expect(reason_mcl_run(&c, chance, &refused), seed, workers);
    t->solved[shape] += !refused;
}

/* Of the explicit model, or of the same one with keys. */
static void ask_shape(const lts *g, const char *text, int shape, uint64_t seed,
                      random_stream *chance, tally *t)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mcl_question q;
    wide_model wide;
    enc_mcl_options o = { .capacity = 1000 };
    bool keyed = shape >= KEYED;
    wide_model_open(&wide, g, 1 + (uint32_t)random_below(chance, WIDE_MODEL_WORDS));
    if ((keyed ? mcl_question_open_wide(&q, &m, text, &wide, &o, &e)
               : mcl_question_open(&q, &m, text, g, false, &e)) == 0)
        ask_parts(&q, keyed ? &wide : NULL, mcl_question_meaning(&q), shape, seed, chance,
                  t);
    mcl_question_close(&q);
    CU_ASSERT_EQUAL_FATAL(m.now, 0);
}

static const char *const formulas[] = {
    "[ true* ] < true > true",
    "< true* > [ true ] false",
    "[ true* . \"a\" ] < true* . \"b\" > true",
    "nu X . ((< \"a\" > X) or < true* . \"c\" > true)",
    "nu X . mu Y . ((< \"a\" > true or < true > Y) and [ \"b\" ] X)",
    "[ true* . \"a\" ] mu X . ((< true > true) and [ not \"b\" ] X)",
};

static void run_formulas(uint64_t first, uint64_t questions, tally *t)
{
    for (uint64_t n = first; n < first + questions; n++) {
        mcl_random r = { .state = n * 7919 };
        random_stream chance = random_open(n, 4);
        mem m = MEM_INIT;
        lts g;
        char text[2000];
        if (n % 16 == 1) g = sample_lts_random(&m, 8, 1000, 3, n); /* long rows */
        else mcl_case_lts(&r, &g, &m, 40);
        mcl_case_formula(&r, text, sizeof text);
        for (int shape = 0; shape < SHAPES; shape++) {
            bool drawn = n % 2 == 0;
            const char *f = drawn ? text : formulas[n / 2 % COUNT_OF(formulas)];
            ask_shape(&g, f, shape, n, &chance, t);
        }
        lts_close(&g);
    }
}

static void formulas_in_parts(void)
{
    tally t = { .solved = { 0 } };
    run_formulas(1, 1500, &t);
    for (int shape = 0; shape < SHAPES; shape++) CU_ASSERT(t.solved[shape] > 500);
}

/* ---- failures ------------------------------------------------------------------------------ */

/* A chain that is true at its end, with every failing allocation. */
static void every_failing_allocation_is_a_limit_and_leaves_nothing(void)
{
    mem quiet = MEM_INIT;
    bes_random_options o = { .variables = 40,
                             .blocks = 3,
                             .degree = 2,
                             .and_share = 0.5,
                             .shape = BES_SHAPE_GENERAL,
                             .seed = 5 };
    err e = ERR_INIT;
    bes b;
    bool failed = true;
    CU_ASSERT_EQUAL_FATAL(bes_random(&b, &quiet, &o, &e), 0);
    uint8_t right[64];
    naive_bes_solve(&b, right);
    enc_bes_parts *parts;
    enc_bes *whole;
    enc_bes_part_options of = { .question.root = 0, .workers = 3 };
    graph_part *part[3];
    CU_ASSERT_EQUAL_FATAL(enc_bes_part_open(&parts, &b, &of, &e), 0);
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&whole, &b, &of.question, &e), 0);
    for (worker_id w = 0; w < 3; w++) part[w] = enc_bes_part_of(parts, w);
    for (uint64_t n = 1; failed && n < 2000; n++) {
        random_stream chance = random_open(1, 1);
        mem m = MEM_INIT;
        comm_sim_options sim;
        mb_reason *r;
        reason_case c = { .p = { part, 3, 1 },
                          .o = draw_run(&chance, &m, &sim, false),
                          .right = right[0] };
        m.fail_at = n;
        const char *wrong = reason_case_run(&c, &r);
        failed = m.fail_at && wrong != NULL;
        if (failed) CU_ASSERT(strstr(wrong, "as the test asked") != NULL);
        mb_reason_close(r);
        CU_ASSERT_EQUAL(m.now, 0);
        CU_ASSERT(failed || n > 20);
    }
    CU_ASSERT(!failed);
    enc_bes_close(whole);
    enc_bes_part_close(parts);
    bes_close(&b);
}

/* Vertices of another graph than the one that was solved. */
static void wrong_names(const void *of, vertex_id v, uint32_t *wire)
{
    enc_bes_part_wire(of, v == 0 ? 1 : 0, wire);
}

static void a_graph_that_is_another_is_refused(void)
{
    static const char text[] = "block mu B0 is X0 = X1  X1 = true end block";
    mem m = MEM_INIT;
    err e = ERR_INIT;
    bes b;
    CU_ASSERT_EQUAL_FATAL(bes_parse(&b, &m, "a system", text, strlen(text), NULL, &e), 0);
    enc_bes_parts *parts;
    enc_bes *whole;
    mb_reason *r;
    enc_bes_part_options of = { .question.root = 0, .workers = 2 };
    CU_ASSERT_EQUAL_FATAL(enc_bes_part_open(&parts, &b, &of, &e), 0);
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&whole, &b, &of.question, &e), 0);
    graph_part *part[2] = { enc_bes_part_of(parts, 0), enc_bes_part_of(parts, 1) };
    random_stream chance = random_open(1, 1);
    comm_sim_options sim;
    reason_case c = { .p = { part, 2, 1 },
                      .o = draw_run(&chance, &m, &sim, false),
                      .right = true };
    CU_ASSERT_PTR_NULL_FATAL(reason_case_run(&c, &r));
    solution s;
    CU_ASSERT_EQUAL_FATAL(solution_open(&s, &m, enc_bes_graph(whole), true, &e), 0);
    CU_ASSERT_EQUAL(mb_reason_fill(r, &s, wrong_names, parts, &e), ERR_SYSTEM);
    CU_ASSERT(strstr(e.text, "does not fit the graph") != NULL);
    solution_close(&s);
    mb_reason_close(r);
    enc_bes_close(whole);
    enc_bes_part_close(parts);
    bes_close(&b);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_mb_reason[] = {
    { "reasons of random systems are certified, on any schedule",
      systems_on_the_simulator },
    { "reasons of random systems are certified, on threads", systems_on_threads },
    { "reasons of formulas are certified, whatever the parts", formulas_in_parts },
    { "every failing allocation is a limit and leaves nothing",
      every_failing_allocation_is_a_limit_and_leaves_nothing },
    { "a graph that is another one is refused", a_graph_that_is_another_is_refused },
    CU_TEST_INFO_NULL,
};
