/*
 * test_resolution.c - every solver on random systems against the naive solution, and the
 * requirements R1, R2, R3 of the paper.  A failure prints the seed and leaves its input
 * behind as failed-SEED.bes.
 */
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "encodings/enc_bes.h"
#include "lang/bes_random.h"
#include "tests/bes_case.h"
#include "tests/naive_bes.h"
#include "tests/watch_graph.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SLOW 1
#elif defined __has_feature
#define SLOW (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SLOW 0
#endif

enum {
    SYSTEMS = SLOW ? 2000 : 20000, /* each is solved about a dozen times */
    SOLVES_MIN = SLOW ? 10000 : 100000,
    WATCHED = SLOW ? 500 : 4000,
    DEEP = SLOW ? 1000000 : 10000000
};

static mem account = { .limit = 0 };

static void make(bes *b, uint64_t seed, bes_shape shape, vertex_id most)
{
    uint64_t h = (seed + 1) * 0x9e3779b97f4a7c15u;
    bes_random_options o = { .variables = 1 + (vertex_id)((h >> 20) % most),
                             .degree = (double)(2 + (h >> 32) % 5) / 2,
                             .and_share = (double)((h >> 40) % 8) / 7,
                             .shape = shape,
                             .seed = seed };
    o.blocks = 1 + (uint32_t)((h >> 48) % (o.variables < 4 ? o.variables : 3));
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_random(b, &account, &o, &e), 0);
}

static uint8_t *solve_naively(const bes *b)
{
    uint8_t *right = malloc(b->vertices);
    CU_ASSERT_PTR_NOT_NULL_FATAL(right);
    naive_bes_solve(b, right);
    return right;
}

static void report(const bes_case *c, uint64_t seed, const char *wrong)
{
    char path[64];
    err e = ERR_INIT;
    snprintf(path, sizeof path, "failed-%" PRIu64 ".bes", seed);
    bes_write(c->b, path, NULL, &e);
    printf("\nseed %" PRIu64
           ", %s, vertex %u, choices %d, exhaustive %d, all %d: %s; see %s\n",
           seed, c->algorithm, c->root, c->choices, c->exhaustive, c->all, wrong, path);
    CU_FAIL("a solver is wrong");
}

/* ---- against the naive solution ------------------------------------------------------------- */

/* One system under one solver, for the first vertex, another one, and all. */
static unsigned try_solver(const bes *b, const uint8_t *right, uint64_t seed,
                           const char *name)
{
    unsigned solves = 0;
    for (unsigned way = 0; way < 4; way++) {
        bes_case c = { .b = b, .right = right, .algorithm = name };
        bool solved;
        c.root = way == 0 ? 0 : (vertex_id)(seed % b->vertices);
        c.choices = (seed + way) % 2;
        c.all = way == 2;
        c.exhaustive = way == 3;
        const char *wrong = bes_case_run(&c, &account, &solved);
        if (wrong) report(&c, seed, wrong);
        solves += solved;
    }
    return solves;
}

static void solvers_agree_with_the_definition(void)
{
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    uint64_t solves[16] = { 0 }, all = 0;
    for (uint64_t seed = 0; seed < SYSTEMS && CU_get_number_of_failures() < 5; seed++) {
        bes b;
        make(&b, seed, (bes_shape)(seed % BES_SHAPE_COUNT), seed % 3 ? 30 : 8);
        uint8_t *right = solve_naively(&b);
        for (size_t i = 0; i < count; i++)
            solves[i] += try_solver(&b, right, seed, solver[i]->name);
        solves[count] += try_solver(&b, right, seed, "auto");
        free(right);
        bes_close(&b);
    }
    for (size_t i = 0; i <= count; i++) {
        printf("%s %" PRIu64 ", ", i < count ? solver[i]->name : "auto", solves[i]);
        CU_ASSERT(solves[i] > SYSTEMS / 20); /* each solver had its share */
        all += solves[i];
    }
    printf("%" PRIu64 " in all ... ", all);
    CU_ASSERT(all >= SOLVES_MIN);
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- R2, and promises that are wrong --------------------------------------------------------- */

/* Expansions that no open path led to; UINT64_MAX when refused. */
static uint64_t count_strays(const bes *b, const uint8_t *right, const char *name,
                             unsigned lie)
{
    enc_bes *x = NULL;
    resolution *r = NULL;
    watch_graph w;
    err e = ERR_INIT;
    bool value;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = name, .log = &quiet };
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&x, b, &(enc_bes_options){ .root = 0 }, &e), 0);
    watch_graph_open(&w, enc_bes_graph(x));
    for (uint32_t k = 0; k < w.base.block_count; k++) w.blocks[k].promise |= lie;
    bool refused = resolution_open(&r, &account, &w.base, &o, &e) != 0;
    if (!refused) {
        w.found = resolution_solution(r);
        CU_ASSERT_EQUAL(resolution_solve(r, 0, &value, &e), 0);
        CU_ASSERT_EQUAL(value, right[0]);
        resolution_close(r);
    }
    watch_graph_close(&w);
    enc_bes_close(x);
    return refused ? UINT64_MAX : w.strays;
}

static void only_open_paths_are_followed(void)
{
    static const char *const strict[] = { "a1", "a3", "a4", "a4-bfs" };
    uint64_t runs = 0, a2_strays = 0;
    for (uint64_t seed = 0; seed < WATCHED && CU_get_number_of_failures() < 5; seed++) {
        bes b;
        make(&b, seed, (bes_shape)(seed % BES_SHAPE_COUNT), 24);
        uint8_t *right = solve_naively(&b);
        for (size_t i = 0; i < COUNT_OF(strict); i++) {
            uint64_t strays = count_strays(&b, right, strict[i], 0);
            runs += strays != UINT64_MAX;
            bes_case c = { .b = &b, .algorithm = strict[i] };
            if (strays != 0 && strays != UINT64_MAX) report(&c, seed, "R2 is broken");
        }
        a2_strays += count_strays(&b, right, "a2", 0);
        free(right);
        bes_close(&b);
    }
    CU_ASSERT(runs > WATCHED * 3 / 2);
    CU_ASSERT(a2_strays > 0); /* so the watcher sees what it should see */
}

static void a_cycle_that_was_denied_is_survived(void)
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        bes b;
        make(&b, seed, BES_SHAPE_GENERAL, 24);
        uint8_t *right = solve_naively(&b);
        count_strays(&b, right, "a3", GRAPH_ACYCLIC);
        free(right);
        bes_close(&b);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- deep graphs ---------------------------------------------------------------------------- */

/* A chain of or-vertices; the last one has the constant `end`, or leads back to the first. */
typedef struct chain {
    graph base;
    graph_block block;
    enum { END_FALSE, END_TRUE, END_CYCLE } end;
} chain;

static void chain_expand(const graph *g, vertex_id v, graph_place place,
                         vertex_id *buffer, uint32_t room, graph_row *out)
{
    const chain *c = (const chain *)g;
    bool last = v + 1 == g->vertices;
    (void)place, (void)room;
    *out = (graph_row){ .op = GRAPH_OR, .count = 1, .next = GRAPH_ROW_END };
    if (last && c->end == END_TRUE) out->op = GRAPH_AND;
    if (last && c->end != END_CYCLE) out->count = 0;
    else *buffer = last ? 0 : v + 1;
}

static const graph_class chain_class = { .name = "chain", .expand = chain_expand };

static void solve_chain(int end, graph_sign sign, const char *name, vertex_id length)
{
    chain c = { .base = { .class = &chain_class, .vertices = length, .block_count = 1 },
                .block = { .sign = sign, .end = length } };
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value, right = end == END_CYCLE ? sign == GRAPH_NU : end == END_TRUE;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = name, .choices = true, .log = &quiet };
    c.end = (unsigned)end;
    c.base.blocks = &c.block;
    c.block.promise = GRAPH_DISJUNCTIVE | GRAPH_PURE | GRAPH_SINGLE_ENTRY;
    if (end != END_CYCLE) c.block.promise |= GRAPH_ACYCLIC;
    if (resolution_open(&r, &account, &c.base, &o, &e) == 0) {
        CU_ASSERT_EQUAL(resolution_solve(r, 0, &value, &e), 0);
        CU_ASSERT_EQUAL(value, right);
        CU_ASSERT_EQUAL(resolution_solution(r)->seen, length);
        resolution_close(r);
    }
    CU_ASSERT(e.code == ERR_NONE || e.code == ERR_REFUSED);
    CU_ASSERT_EQUAL(account.now, 0);
}

static void deep_chains_are_no_trouble(void)
{
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    for (size_t i = 0; i < count; i++) {
        bool slow = strcmp(solver[i]->name, "hello") == 0; /* quadratic */
        for (int end = END_FALSE; end <= END_CYCLE; end++)
            for (int sign = GRAPH_MU; sign <= GRAPH_NU; sign++)
                solve_chain(end, (graph_sign)sign, solver[i]->name,
                            slow          ? 1000
                            : end == sign ? DEEP
                                          : DEEP / 10);
    }
}

static void many_blocks_are_no_trouble(void)
{
    enum { BLOCKS = 100000 };
    bes b;
    err e = ERR_INIT;
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    CU_ASSERT_EQUAL_FATAL(bes_open(&b, &account, BLOCKS, BLOCKS, BLOCKS - 1, &e), 0);
    for (uint32_t k = 0; k < BLOCKS; k++) {
        b.blocks[k] = (bes_block){ .sign = k % 2 ? GRAPH_MU : GRAPH_NU, .number = k };
        b.blocks[k].begin = k;
        b.blocks[k].end = k + 1;
        b.first[k + 1] = k + 1;
        b.op[k] = k % 2 ? GRAPH_OR : GRAPH_AND;
        if (k + 1 < BLOCKS) b.operand[k] = k + 1;
    }
    b.first[BLOCKS] = BLOCKS - 1;
    uint8_t *right = solve_naively(&b);
    for (size_t i = 0; i < count; i++) {
        bes_case c = { .b = &b, .right = right, .algorithm = solver[i]->name };
        bool solved;
        const char *wrong = bes_case_run(&c, &account, &solved);
        if (wrong) report(&c, 0, wrong);
        CU_ASSERT(solved);
    }
    free(right);
    bes_close(&b);
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- limits and refusals --------------------------------------------------------------------- */

/* The code of solving, with `m` as the account and a clock. */
static int solve_with(mem *m, const graph *g, const char *name, progress *clock, err *e)
{
    resolution *r = NULL;
    bool value;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = name, .choices = true, .exhaustive = true };
    o.log = &quiet;
    o.clock = clock;
    if (resolution_open(&r, m, g, &o, e) == 0) resolution_solve(r, g->root, &value, e);
    resolution_close(r);
    return (int)e->code;
}

static void refuse_each_allocation(const graph *g, const char *name)
{
    for (size_t at = 1; at < 10000; at++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = at;
        int code = solve_with(&m, g, name, NULL, &e);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
        if (code == 0 || code == ERR_REFUSED) return;
        CU_ASSERT_EQUAL_FATAL(code, ERR_LIMIT);
    }
    CU_FAIL("too many allocations");
}

static void limits_are_told_by_every_solver(void)
{
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    for (uint64_t seed = 0; seed < 40; seed++) {
        bes b;
        enc_bes *x = NULL;
        err e = ERR_INIT;
        make(&b, seed, (bes_shape)(seed % BES_SHAPE_COUNT), 60);
        CU_ASSERT_EQUAL_FATAL(enc_bes_open(&x, &b, &(enc_bes_options){ .root = 0 }, &e),
                              0);
        for (size_t i = 0; i < count; i++) {
            progress late;
            err timed = ERR_INIT;
            progress_open(&late, PROGRESS_OFF, 1e-9);
            late.what = "testing";
            usleep(10);
            int code =
                solve_with(&account, enc_bes_graph(x), solver[i]->name, &late, &timed);
            CU_ASSERT(code == ERR_LIMIT || code == ERR_REFUSED);
            refuse_each_allocation(enc_bes_graph(x), solver[i]->name);
        }
        enc_bes_close(x);
        bes_close(&b);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

static const struct {
    const char *text, *algorithm, *message;
} refusals[] = {
    { "block mu B3 is X0 = X0 end block", "a3",
      "a3 does not accept blocks that may have cycles (block B3)" },
    { "block mu B3 is X0 = X0 or X1 X1 = X0 and X1 end block", "a4",
      "a4 does not accept blocks that are neither disjunctive nor conjunctive (block "
      "B3)" },
    { "block nu B0 is X0 = X0 or X0 end block", "a4-bfs",
      "a4-bfs does not accept blocks other than disjunctive mu and conjunctive nu (block "
      "B0)" },
    { "block nu B0 is X0 = X0 end block", "a9", "no algorithm 'a9'; see bespoke list" },
};

static void refusals_say_why(void)
{
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        bes b;
        enc_bes *x = NULL;
        err e = ERR_INIT;
        const char *text = refusals[i].text;
        CU_ASSERT_EQUAL_FATAL(bes_parse(&b, &account, "x", text, strlen(text), NULL, &e),
                              0);
        CU_ASSERT_EQUAL_FATAL(enc_bes_open(&x, &b, &(enc_bes_options){ .root = 0 }, &e),
                              0);
        solve_with(&account, enc_bes_graph(x), refusals[i].algorithm, NULL, &e);
        CU_ASSERT_STRING_EQUAL(e.text, refusals[i].message);
        enc_bes_close(x);
        bes_close(&b);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

CU_TestInfo test_resolution[] = {
    { "solvers agree with the definition", solvers_agree_with_the_definition },
    { "only open paths are followed", only_open_paths_are_followed },
    { "a cycle that was denied is survived", a_cycle_that_was_denied_is_survived },
    { "deep chains are no trouble", deep_chains_are_no_trouble },
    { "many blocks are no trouble", many_blocks_are_no_trouble },
    { "limits are told by every solver", limits_are_told_by_every_solver },
    { "refusals say why", refusals_say_why },
    CU_TEST_INFO_NULL,
};
