/*
 * test_diag.c - shortened proofs are right and lowest: against heights by their definition,
 * over random systems and all solvers.
 */
#include "algorithms/diag.h"

#include "algorithms/certify.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "encodings/enc_bes.h"
#include "lang/bes_random.h"
#include "tests/naive_bes.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SLOW 1
#elif defined __has_feature
#define SLOW (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SLOW 0
#endif

enum { SYSTEMS = SLOW ? 2000 : 12000, MOST = 40, NONE = INT32_MAX };

static const char *const solvers[] = {
    "auto", "a1", "a2", "a3", "a4", "a4-bfs", "hello"
};

static mem account = { .limit = 0 };

/* A system and one solver at work on it. */
typedef struct trial {
    bes b;
    enc_bes *x;
    const graph *g;
    resolution *r;
} trial;

static void trial_encode(trial *t, bool any)
{
    err e = ERR_INIT;
    enc_bes_options o = { .root = 0, .any_vertex = any };
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&t->x, &t->b, &o, &e), 0);
    t->g = enc_bes_graph(t->x);
    t->r = NULL;
}

/* False: the solver does not accept the shape. */
static bool trial_solve(trial *t, mem *m, const char *solver)
{
    static const log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = solver, .choices = true, .log = &quiet };
    err e = ERR_INIT;
    bool value;
    if (resolution_open(&t->r, m, t->g, &o, &e) != 0) return false;
    CU_ASSERT_EQUAL_FATAL(resolution_solve(t->r, t->g->root, &value, &e), 0);
    return true;
}

static void trial_stop(trial *t)
{
    resolution_close(t->r);
    t->r = NULL;
}

static void trial_close(trial *t)
{
    trial_stop(t);
    enc_bes_close(t->x);
    bes_close(&t->b);
}

static void trial_parse(trial *t, const char *text)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_parse(&t->b, &account, "x", text, strlen(text), NULL, &e),
                          0);
    trial_encode(t, false);
}

/* ---- heights by definition: no graph, no search ---------------------------------------- */

static bool in_tree(const bes *b, vertex_id v, bool value)
{
    return (b->blocks[bes_block_of(b, v)].sign == GRAPH_MU) == value;
}

/* Is v proved by vertices whose height is less than `round`? */
static bool follows(const bes *b, vertex_id v, bool value, const int32_t *height,
                    int32_t round)
{
    bool all = true, some = false;
    for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++) {
        bool lower = height[b->operand[i]] < round;
        all = all && lower;
        some = some || lower;
    }
    return (b->op[v] == GRAPH_OR) == value ? some : all;
}

/* The least height of a tree for x from what is stable in `status` where trees end. */
static int32_t least_height(const bes *b, const uint8_t *status, vertex_id x)
{
    int32_t height[MOST] = { 0 }, count = (int32_t)b->vertices;
    bool value = (status[x] & SOLUTION_TRUE) != 0;
    const uint8_t stable = (uint8_t)(SOLUTION_STABLE | (value ? SOLUTION_TRUE : 0));
    for (vertex_id v = 0; v < b->vertices; v++)
        height[v] = !in_tree(b, v, value) &&
                            (status[v] & (SOLUTION_STABLE | SOLUTION_TRUE)) == stable
                        ? 0
                        : NONE;
    for (int32_t round = 0; round <= count && height[x] == NONE; round++)
        for (vertex_id v = 0; v < b->vertices; v++)
            if (in_tree(b, v, value) && height[v] == NONE &&
                follows(b, v, value, height, round))
                height[v] = round;
    return height[x];
}

/* The longest way from the first vertex of a proof to where its tree ends. */
static int32_t longest_way(const bes *b, const proof *p)
{
    int32_t height[MOST] = { 0 };
    for (size_t round = 0; round < p->vertices.count; round++)
        for (size_t i = 0; i < p->vertices.count; i++)
            for (uint64_t k = p->first.at[i]; k < p->first.at[i + 1]; k++)
                if (in_tree(b, p->vertices.at[i].vertex, p->value) &&
                    height[i] <= height[p->edge.at[k]])
                    height[i] = height[p->edge.at[k]] + 1;
    return height[0];
}

/* ---- one shortening, looked at from all sides ------------------------------------------- */

static bool certified(const proof *p, const graph *g)
{
    err e = ERR_INIT;
    certify *c;
    CU_ASSERT_EQUAL_FATAL(certify_open(&c, &account, g, p->value, &e), 0);
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_enter(c, p->vertices.at[i].vertex, p->vertices.at[i].rank, &e);
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_check(c, p->vertices.at[i].vertex, p->vertices.at[i].choice, &e);
    if (e.code == ERR_NONE) certify_finish(c, p->vertices.at[0].vertex, &e);
    certify_close(c);
    return e.code == ERR_NONE;
}

/* What a trial's shortening came to. */
typedef struct outcome {
    diag_result found;
    uint32_t before, after; /* longest ways in the proofs */
    uint32_t depth;         /* of the proof before */
    unsigned settled;       /* vertices that had no value before */
    const char *wrong;      /* or NULL */
} outcome;

/* The proof of x as it is now, with its height. */
static const char *look_at_proof(const trial *t, vertex_id x, uint32_t *height,
                                 uint32_t *depth)
{
    proof p;
    err e = ERR_INIT;
    const char *wrong = NULL;
    CU_ASSERT_EQUAL_FATAL(
        proof_open(&p, &account, t->g, resolution_solution(t->r), x, &e), 0);
    *height = (uint32_t)longest_way(&t->b, &p);
    *depth = p.depth;
    if (!certified(&p, t->g)) wrong = "the checker refuses the proof";
    proof_close(&p);
    return wrong;
}

static const char *compare_values(const bes *b, const solution *s, const uint8_t *before,
                                  unsigned *settled)
{
    uint8_t right[MOST];
    const uint8_t known = SOLUTION_STABLE | SOLUTION_TRUE;
    naive_bes_solve(b, right);
    for (vertex_id v = 0; v < b->vertices; v++) {
        if (before[v] & SOLUTION_STABLE && (before[v] & known) != (s->status[v] & known))
            return "a value has changed";
        if (!solution_is_stable(s, v)) continue;
        if (solution_value(s, v) != (right[v] != 0)) return "a value is wrong";
        if (!(s->status[v] & SOLUTION_SEEN)) return "a value of what was not visited";
        *settled += !(before[v] & SOLUTION_STABLE);
    }
    return NULL;
}

static outcome shorten(trial *t, vertex_id x)
{
    const solution *s = resolution_solution(t->r);
    uint8_t status[MOST];
    vertex_id choice[MOST];
    uint32_t depth;
    err e = ERR_INIT;
    size_t count = t->b.vertices;
    outcome o = { .wrong = NULL };
    memcpy(status, s->status, count * sizeof *status);
    memcpy(choice, s->choice, count * sizeof *choice);
    if ((o.wrong = look_at_proof(t, x, &o.before, &o.depth)) != NULL) return o;
    CU_ASSERT_EQUAL_FATAL(diag_shorten(resolution_run(t->r), x, &o.found, &e), 0);
    if (o.found.tree != in_tree(&t->b, x, solution_value(s, x))) o.wrong = "tree or not";
    else if (!o.found.tree && (memcmp(status, s->status, count * sizeof *status) != 0 ||
                               memcmp(choice, s->choice, count * sizeof *choice) != 0))
        o.wrong = "no tree, but something has changed";
    if (!o.wrong) o.wrong = compare_values(&t->b, s, status, &o.settled);
    if (!o.wrong) o.wrong = look_at_proof(t, x, &o.after, &depth);
    if (!o.wrong && (o.found.height != o.after || o.found.before != o.before))
        o.wrong = "the heights that were told";
    if (!o.wrong && o.after > o.before) o.wrong = "it is higher than before";
    if (!o.wrong && (int32_t)o.after != least_height(&t->b, status, x))
        o.wrong = "it is not the lowest";
    return o;
}

/* ---- examples ----------------------------------------------------------------------------- */

/* In the notation of bespoke solve; X0 of B0 is what is proved. */
static const struct {
    const char *text, *solver;
    uint32_t before, after;
    bool tree;
    unsigned settled; /* vertices that get their value from the shortening */
} examples[] = {
/* A graph with the figures of the paper's example: 4 for a1, 3 for a2, and 2. */
#define PAPER(sign, or, and, end)                                  \
    "block " sign " B0 is X0 = X1 " or                             \
        " X2  X1 = X3 " and " X5  X2 = X6 " and " X7  X3 = X4 " or \
        " X5  X4 = X5  X5 = " end "  X6 = " end "  X7 = " end " end block"
    { PAPER("mu", "or", "and", "true"), "a1", 4, 2, true, 3 },
    { PAPER("mu", "or", "and", "true"), "a2", 3, 2, true, 3 },
    { PAPER("nu", "and", "or", "false"), "a1", 4, 2, true, 3 },
    { PAPER("nu", "and", "or", "false"), "a2", 3, 2, true, 3 },
    /* Within distance 3, but with a way of 6; the lowest tree ends at distance 5. */
    { "block mu B0 is X0 = X1 or X11  X1 = X2 and X3 and X4 and X5  X2 = X3  X3 = X4 "
      "X4 = X5  X5 = X6  X6 = true  X11 = X12  X12 = X13  X13 = X14  X14 = X15 "
      "X15 = true end block",
      "a1", 6, 5, true, 5 },
    /* A leaf and no tree at all. */
    { "block mu B0 is X0 = true end block", "a1", 0, 0, true, 0 },
    { "block nu B0 is X0 = X1 and X2  X1 = X2  X2 = X0 end block", "a1", 0, 0, false, 0 },
    { "block mu B0 is X0 = X1 or X2  X1 = X2  X2 = X0 end block", "a1", 0, 0, false, 0 },
    /* A successor twice in a row counts twice. */
    { "block mu B0 is X0 = X1 and X1 and X2  X1 = true  X2 = X1 and X1 end block", "a1",
      2, 2, true, 0 },
    /* Trees end where cycles are harmless, at what is known. */
    { "block mu B0 is X0 = X1 or X2  X1 = X3 and X0_1  X3 = X4  X4 = X5  X5 = true "
      "X2 = X0_1 end block  block nu B1 is X0 = X0 end block",
      "a1", 4, 2, true, 1 },
    { "block mu B0 is X0 = X1 or X0_1  X1 = X2  X2 = X3  X3 = true end block "
      "block nu B1 is X0 = X0 end block",
      "a1", 3, 3, true, 0 },
    /* And they go on into the next block of their kind. */
    { "block mu B0 is X0 = X1 or X0_1  X1 = X2  X2 = X3  X3 = true end block "
      "block mu B1 is X0 = true end block",
      "a1", 3, 1, true, 1 },
    { "block mu B0 is X0 = X1  X1 = X0_1 end block block mu B1 is X0 = X1 X1 = true end "
      "block",
      "a1", 3, 3, true, 0 },
};

static void examples_come_out_right(void)
{
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        trial t;
        trial_parse(&t, examples[i].text);
        CU_ASSERT_TRUE_FATAL(trial_solve(&t, &account, examples[i].solver));
        outcome o = shorten(&t, t.g->root);
        bool right = o.wrong == NULL && o.before == examples[i].before &&
                     o.after == examples[i].after && o.found.tree == examples[i].tree &&
                     o.settled == examples[i].settled;
        if (!right)
            printf("\nexample %zu: %s; from %u to %u, tree %d, settled %u\n", i,
                   o.wrong ? o.wrong : "other figures", o.before, o.after, o.found.tree,
                   o.settled);
        CU_ASSERT(right);
        trial_close(&t);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- random systems ------------------------------------------------------------------------ */

typedef struct tally {
    uint64_t trees, others, lower, settled, far;
} tally;

/* x, or the next vertex that has a value. */
static vertex_id next_stable(const solution *s, vertex_id x)
{
    while (!solution_is_stable(s, x)) x = (x + 1) % s->g->vertices;
    return x;
}

/* Who asks for more afterwards still gets right answers. */
static const char *solve_the_rest(trial *t)
{
    uint8_t right[MOST];
    naive_bes_solve(&t->b, right);
    for (uint32_t k = 0; k < t->g->block_count; k++)
        for (vertex_id v = t->g->blocks[k].begin; v < t->g->blocks[k].end; v++) {
            err e = ERR_INIT;
            bool value;
            if (resolution_solve(t->r, v, &value, &e) != 0) return "solving on failed";
            if (value != (right[v] != 0)) return "a later answer is wrong";
        }
    return NULL;
}

static void count_outcome(tally *n, const outcome *o)
{
    n->trees += o->found.tree;
    n->others += !o->found.tree;
    n->lower += o->after < o->before;
    n->settled += o->settled > 0;
    n->far += o->found.tree && o->depth < o->after;
}

/* The root, another vertex, the root again; then all of it. */
static void try_solver(trial *t, const char *solver, uint64_t seed, bool any, tally *n)
{
    if (!trial_solve(t, &account, solver)) return;
    vertex_id x[] = { 0, (vertex_id)(seed % t->b.vertices), 0 };
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < COUNT_OF(x); i++) {
        outcome o = shorten(t, next_stable(resolution_solution(t->r), x[i]));
        wrong = o.wrong;
        count_outcome(n, &o);
    }
    if (!wrong && any) wrong = solve_the_rest(t);
    if (wrong) printf("\nseed %" PRIu64 ", %s: %s\n", seed, solver, wrong);
    CU_ASSERT_PTR_NULL(wrong);
    trial_stop(t);
}

static void make(trial *t, uint64_t seed)
{
    uint64_t h = (seed + 1) * 0x9e3779b97f4a7c15u;
    bes_random_options o = { .variables = 1 + (vertex_id)((h >> 20) % MOST),
                             .degree = (double)(2 + (h >> 32) % 6) / 2,
                             .and_share = (double)((h >> 40) % 8) / 7,
                             .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                             .seed = seed };
    o.blocks = 1 + (uint32_t)((h >> 48) % (o.variables < 4 ? o.variables : 4));
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_random(&t->b, &account, &o, &e), 0);
    trial_encode(t, seed % 3 == 0);
}

static void no_tree_is_lower(void)
{
    tally n = { 0 };
    for (uint64_t seed = 0; seed < SYSTEMS && CU_get_number_of_failures() < 5; seed++) {
        trial t;
        make(&t, seed);
        for (size_t i = 0; i < COUNT_OF(solvers); i++)
            try_solver(&t, solvers[i], seed, seed % 3 == 0, &n);
        trial_close(&t);
    }
    printf("%" PRIu64 " trees, %" PRIu64 " lowered, %" PRIu64 " with vertices not solved "
           "before, %" PRIu64 " higher than deep; %" PRIu64 " no trees ... ",
           n.trees, n.lower, n.settled, n.far, n.others);
    CU_ASSERT(n.trees > SYSTEMS && n.others > SYSTEMS / 2);
    CU_ASSERT(n.lower > SYSTEMS / 40 && n.settled > SYSTEMS / 40 && n.far > SYSTEMS / 40);
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- nested blocks ------------------------------------------------------------------------- */

/* 0 = 1 or 3 in mu; 1 = 2, 2 = true in mu; 3 and 4 go round in a nested block. */
static void loop_expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                        uint32_t room, graph_row *out)
{
    static const vertex_id row[][2] = { { 1, 3 }, { 2 }, { 0 }, { 4 }, { 3 } };
    static const uint32_t count[] = { 2, 1, 0, 1, 1 };
    (void)g, (void)room;
    *out = (graph_row){ .op = v == 2 ? GRAPH_AND : GRAPH_OR, .next = GRAPH_ROW_END };
    if (count[v] > place) buffer[out->count++] = row[v][place];
    if (count[v] > place + 1) out->next = place + 1;
}

static void nested_blocks_are_leaves(void)
{
    static const graph_class class = { .name = "loop", .expand = loop_expand };
    graph_block blocks[] = { { .sign = GRAPH_MU, .begin = 0, .end = 3 },
                             { .begin = 3, .end = 5, .outer_end = 4 } };
    graph g = { .class = &class, .vertices = 5, .block_count = 2, .blocks = blocks };
    for (int sign = GRAPH_MU; sign <= GRAPH_NU; sign++) {
        solution s;
        err e = ERR_INIT;
        diag_result found;
        blocks[1].sign = (graph_sign)sign;
        CU_ASSERT_EQUAL_FATAL(solution_open(&s, &account, &g, true, &e), 0);
        run r = { .m = &account, .g = &g, .blocks = blocks, .found = &s };
        solution_settle(&s, 2, true);
        solution_choose(&s, 1, true, 2);
        solution_choose(&s, 0, true, 1);
        CU_ASSERT_EQUAL(diag_shorten(&r, 0, &found, &e), 0);
        CU_ASSERT(found.tree && found.height == 2 && s.choice[0] == 1 + 1);
        solution_choose(&s, 3, true, 4);
        solution_choose(&s, 4, true, 3);
        CU_ASSERT_EQUAL(diag_shorten(&r, 0, &found, &e), 0);
        CU_ASSERT(found.tree && found.height == 1 && s.choice[0] == 3 + 1);
        CU_ASSERT_EQUAL(diag_shorten(&r, 3, &found, &e), 0);
        CU_ASSERT(!found.tree && s.choice[3] == 4 + 1);
        solution_close(&s);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- limits --------------------------------------------------------------------------------- */

/* Shortening with the n-th allocation failing; false when it went well. */
static bool fail_at(trial *t, mem *m, size_t n)
{
    uint32_t before, after, depth;
    diag_result found;
    err e = ERR_INIT;
    CU_ASSERT_TRUE_FATAL(trial_solve(t, m, "a1"));
    CU_ASSERT_PTR_NULL(look_at_proof(t, 0, &before, &depth));
    size_t taken = m->now;
    m->fail_at = m->calls + n;
    int code = diag_shorten(resolution_run(t->r), 0, &found, &e);
    m->fail_at = 0;
    CU_ASSERT(code == 0 || code == ERR_LIMIT);
    CU_ASSERT_EQUAL(m->now, taken);
    CU_ASSERT_PTR_NULL(look_at_proof(t, 0, &after, &depth));
    CU_ASSERT(after <= before);
    trial_stop(t);
    return code != 0;
}

static void failing_allocations_leave_a_proof(void)
{
    uint64_t failed = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        trial t;
        mem m = MEM_INIT;
        make(&t, seed);
        for (size_t n = 1; fail_at(&t, &m, n); n++) failed++;
        CU_ASSERT_EQUAL(m.now, 0);
        trial_close(&t);
    }
    CU_ASSERT(failed > 200);
    CU_ASSERT_EQUAL(account.now, 0);
}

static void the_clock_is_looked_at(void)
{
    trial t;
    trial_parse(&t, examples[0].text);
    CU_ASSERT_TRUE_FATAL(trial_solve(&t, &account, "a1"));
    progress late;
    progress_open(&late, PROGRESS_OFF, 1e-9);
    late.what = "testing";
    usleep(10);
    solution s = *resolution_solution(t.r); /* its columns are shared */
    run r = { .m = &account, .g = t.g, .blocks = t.g->blocks, .found = &s };
    diag_result found;
    err e = ERR_INIT;
    r.clock = &late;
    CU_ASSERT_EQUAL(diag_shorten(&r, 0, &found, &e), ERR_LIMIT);
    trial_close(&t);
    CU_ASSERT_EQUAL(account.now, 0);
}

CU_TestInfo test_diag[] = {
    { "examples come out right", examples_come_out_right },
    { "no tree is lower", no_tree_is_lower },
    { "nested blocks are leaves", nested_blocks_are_leaves },
    { "failing allocations leave a proof", failing_allocations_leave_a_proof },
    { "the clock is looked at", the_clock_is_looked_at },
    CU_TEST_INFO_NULL,
};
