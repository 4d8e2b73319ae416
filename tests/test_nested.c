/*
 * test_nested.c - blocks of one fixed point within another: values against the definition,
 * in many orders of asking, with a proof of each; depth; limits; refusals.
 *
 * A failure prints the seed of its system.
 */
#include "algorithms/certify.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "core/random.h"
#include "tests/nested_case.h"
#include "tests/watch_graph.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SLOW 1
#elif defined __has_feature
#define SLOW (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SLOW 0
#endif

enum {
    SYSTEMS = SLOW ? 3000 : 24000,
    WATCHED = SLOW ? 500 : 4000,
    DEEP = SLOW ? 1000000 : 10000000,
    LONG = 200000,
    TINY = 4 /* vertices: all orders of asking */
};

static mem account = { .limit = 0 };

/* ---- against the definition ----------------------------------------------------------------- */

typedef struct trial {
    const nested_case *c;
    bool choices, exhaustive;
    vertex_id order[NESTED_VERTICES]; /* in which its vertices are asked for */
} trial;

/* Of all that was visited: known, right, and each edge looked at once? */
static const char *check_visited(const trial *t, const solution *s)
{
    uint64_t edges = 0;
    for (vertex_id v = 0; v < t->c->base.vertices; v++) {
        if (!(s->status[v] & SOLUTION_SEEN)) continue;
        edges += t->c->degree[v];
        if (!solution_is_stable(s, v))
            return "R3: a vertex was visited and is not stable";
        if (solution_value(s, v) != t->c->right[v]) return "a value is wrong";
    }
    return s->edges > edges ? "R1: an edge was looked at twice" : NULL;
}

static int check_proof(const proof *p, const graph *g, mem *m, err *e)
{
    certify *k = NULL;
    if (certify_open(&k, m, g, p->value, e) != 0) return (int)e->code;
    for (size_t i = 0; e->code == ERR_NONE && i < p->vertices.count; i++)
        certify_enter(k, p->vertices.at[i].vertex, p->vertices.at[i].rank, e);
    for (size_t i = 0; e->code == ERR_NONE && i < p->vertices.count; i++)
        certify_check(k, p->vertices.at[i].vertex, p->vertices.at[i].choice, e);
    if (e->code == ERR_NONE) certify_finish(k, p->vertices.at[0].vertex, e);
    certify_close(k);
    return (int)e->code;
}

static int prove(const graph *g, const solution *s, vertex_id v, mem *m, err *e)
{
    proof p;
    if (proof_open(&p, m, g, s, v, e) == 0) check_proof(&p, g, m, e);
    proof_close(&p);
    return (int)e->code;
}

static const char *ask(const trial *t, resolution *r, vertex_id v)
{
    bool value;
    err e = ERR_INIT;
    const solution *s = resolution_solution(r);
    if (resolution_solve(r, v, &value, &e) != 0) return "solving failed";
    if (value != t->c->right[v]) return "the verdict is wrong";
    const char *wrong = check_visited(t, s);
    if (wrong || !t->choices) return wrong;
    return prove(&t->c->base, s, v, &account, &e) ? "a proof is refused" : NULL;
}

/* Ask for all vertices of one resolution, in the order; an error is printed. */
static void run_trial(const trial *t, uint64_t seed)
{
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = "auto", .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    o.choices = t->choices;
    o.exhaustive = t->exhaustive;
    CU_ASSERT_EQUAL_FATAL(resolution_open(&r, &account, &t->c->base, &o, &e), 0);
    const char *wrong = NULL;
    for (vertex_id i = 0; !wrong && i < t->c->base.vertices; i++)
        if ((wrong = ask(t, r, t->order[i])) != NULL)
            printf("\nseed %" PRIu64 ", choices %d, exhaustive %d, vertex %u: %s", seed,
                   t->choices, t->exhaustive, t->order[i], wrong);
    CU_ASSERT_PTR_NULL(wrong);
    resolution_close(r);
}

/* Order number `n` of all there are. */
static void take_order(trial *t, uint64_t n)
{
    vertex_id count = t->c->base.vertices;
    for (vertex_id i = 0; i < count; i++) t->order[i] = i;
    for (vertex_id i = count; i > 1; i--) {
        vertex_id k = (vertex_id)(n % i), last = t->order[i - 1];
        n /= i;
        t->order[i - 1] = t->order[k];
        t->order[k] = last;
    }
}

static uint64_t try_orders(const nested_case *c, uint64_t seed)
{
    uint64_t trials = 0, orders = 1;
    bool tiny = c->base.vertices <= TINY;
    for (vertex_id i = 2; tiny && i <= c->base.vertices; i++) orders *= i;
    random_stream r = random_open(seed, 2);
    for (uint64_t n = 0; n < (tiny ? orders : 2); n++)
        for (unsigned way = 0; way < 4; way++, trials++) {
            trial t = { .c = c, .choices = way & 1, .exhaustive = way & 2 };
            take_order(&t, tiny ? n : random_next(&r));
            run_trial(&t, seed);
        }
    return trials;
}

/* How many vertices of nested blocks are true, and how many there are. */
static void count_true(const nested_case *c, uint64_t count[2])
{
    for (vertex_id v = 0; v < c->base.vertices; v++)
        if (graph_is_nested(&c->blocks[graph_block_of(&c->base, v)]))
            count[c->right[v]]++;
}

static void values_and_proofs_are_right_in_any_order(void)
{
    uint64_t trials = 0, count[2] = { 0 };
    for (uint64_t seed = 0; seed < SYSTEMS && CU_get_number_of_failures() < 5; seed++) {
        nested_case c;
        nested_case_make(&c, seed, seed % 3 ? NESTED_VERTICES : TINY);
        nested_case_solve(&c);
        count_true(&c, count);
        trials += try_orders(&c, seed);
    }
    printf("%" PRIu64 " trials, nested: %" PRIu64 " true, %" PRIu64 " false ... ", trials,
           count[1], count[0]);
    CU_ASSERT(trials > 10 * SYSTEMS);
    CU_ASSERT(count[0] > SYSTEMS && count[1] > SYSTEMS); /* neither is rare */
    CU_ASSERT_EQUAL(account.now, 0);
}

static void only_open_paths_are_followed(void)
{
    for (uint64_t seed = 0; seed < WATCHED && CU_get_number_of_failures() < 5; seed++) {
        nested_case c;
        watch_graph w;
        resolution *r = NULL;
        err e = ERR_INIT;
        bool value;
        log_sink quiet = { .level = LOG_QUIET };
        resolution_options o = { .algorithm = "auto", .log = &quiet };
        nested_case_make(&c, seed, NESTED_VERTICES);
        watch_graph_open(&w, &c.base);
        CU_ASSERT_EQUAL_FATAL(resolution_open(&r, &account, &w.base, &o, &e), 0);
        w.found = resolution_solution(r);
        CU_ASSERT_EQUAL(resolution_solve(r, c.base.root, &value, &e), 0);
        if (w.strays > 0) printf("\nseed %" PRIu64 ": R2 is broken", seed);
        CU_ASSERT_EQUAL(w.strays, 0);
        resolution_close(r);
        watch_graph_close(&w);
    }
}

/* ---- chains and cycles ----------------------------------------------------------------------- */

/*
 * A chain of vertices: or in a buchi block, and in a cobuchi one.  The last leads to `back`,
 * or is a constant of the same operator (CONSTANT) or of the other one (OTHER).
 */
typedef struct chain {
    graph base;
    graph_block block;
    vertex_id back;
} chain;

#define CONSTANT VERTEX_NONE
#define OTHER    (VERTEX_NONE - 1)

static void chain_expand(const graph *g, vertex_id v, graph_place place,
                         vertex_id *buffer, uint32_t room, graph_row *out)
{
    const chain *c = (const chain *)g;
    bool last = v + 1 == g->vertices, is_or = c->block.sign == GRAPH_NU;
    (void)place, (void)room;
    if (last && c->back == OTHER) is_or = !is_or;
    *out = (graph_row){ .op = is_or ? GRAPH_OR : GRAPH_AND, .next = GRAPH_ROW_END };
    out->count = !last || c->back < g->vertices;
    *buffer = last ? c->back : v + 1;
}

static const graph_class chain_class = { .name = "chain", .expand = chain_expand };

static const struct {
    vertex_id length, outer_end;
    vertex_id back;
    bool absorbs; /* the value is true in a buchi block */
} chains[] = {
    { DEEP, 1, 0, true },
    { DEEP, 1, 1, false },
    { DEEP, DEEP, CONSTANT, false },
    { LONG, 1, 0, true },
    { LONG, 1, 1, false },
    { LONG, 1, CONSTANT, false },
    { LONG, 1, OTHER, true },
    { LONG, LONG, 0, true },
    { LONG, LONG, LONG - 1, true },
    { LONG, LONG, CONSTANT, false },
    { LONG, LONG / 2, 9, true },
    { LONG, LONG / 2, LONG / 2 - 1, true },
    { LONG, LONG / 2, LONG / 2, false },
    { LONG, LONG / 2, OTHER, true },
    { LONG, LONG - 1, LONG - 1, false },
};

static void solve_chain(size_t i, graph_sign sign)
{
    chain c = { .base = { .class = &chain_class, .block_count = 1 } };
    c.back = chains[i].back;
    c.base.vertices = chains[i].length;
    c.block = (graph_block){ .sign = sign, .end = c.base.vertices };
    c.block.outer_end = chains[i].outer_end;
    c.block.promise = sign == GRAPH_NU ? GRAPH_DISJUNCTIVE : GRAPH_CONJUNCTIVE;
    c.block.promise |= GRAPH_PURE;
    c.base.blocks = &c.block;
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = "a4", .choices = true, .log = &quiet };
    CU_ASSERT_EQUAL_FATAL(resolution_open(&r, &account, &c.base, &o, &e), 0);
    CU_ASSERT_EQUAL(resolution_solve(r, 0, &value, &e), 0);
    CU_ASSERT_EQUAL(value, chains[i].absorbs == (sign == GRAPH_NU));
    CU_ASSERT_EQUAL(resolution_solution(r)->seen, c.base.vertices);
    CU_ASSERT_EQUAL(prove(&c.base, resolution_solution(r), 0, &account, &e), 0);
    resolution_close(r);
    CU_ASSERT_EQUAL(account.now, 0);
}

static void long_chains_and_cycles_are_no_trouble(void)
{
    for (size_t i = 0; i < COUNT_OF(chains); i++) {
        solve_chain(i, GRAPH_NU);
        if (chains[i].length == LONG) solve_chain(i, GRAPH_MU);
    }
}

/* A buchi block of or-vertices 0 -> 1 -> back, 0 outer; both also lead to 2. */
static void make_pair(nested_case *c, vertex_id back)
{
    nested_case_make(c, 0, 1); /* its class */
    c->base.vertices = 3;
    c->base.block_count = 1;
    c->base.root = 0;
    c->blocks[0] = (graph_block){ .sign = GRAPH_NU, .end = 3, .outer_end = 1 };
    c->blocks[0].promise = GRAPH_DISJUNCTIVE | GRAPH_PURE;
    for (vertex_id v = 0; v < 3; v++) {
        c->op[v] = GRAPH_OR;
        c->degree[v] = v < 2 ? 2 : 0;
        c->to[v][0] = v == 0 ? 1 : back;
        c->to[v][1] = 2;
    }
}

/* A good cycle ends the search: what comes after it in the rows is not visited. */
static void a_good_cycle_is_found_at_once(void)
{
    nested_case c;
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value = false;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = "a4", .log = &quiet };
    make_pair(&c, 0);
    CU_ASSERT_EQUAL_FATAL(resolution_open(&r, &account, &c.base, &o, &e), 0);
    CU_ASSERT_EQUAL(resolution_solve(r, 0, &value, &e), 0);
    CU_ASSERT(value);
    CU_ASSERT_EQUAL(resolution_solution(r)->seen, 2);
    resolution_close(r);
}

/* A solver that errs: its values go round in a circle that is bad for them. */
static void wrong_values_have_no_proof(void)
{
    for (int value = 0; value <= 1; value++) {
        nested_case c;
        solution s;
        err e = ERR_INIT;
        make_pair(&c, value ? 1 : 0);
        CU_ASSERT_EQUAL_FATAL(solution_open(&s, &account, &c.base, true, &e), 0);
        solution_choose(&s, 0, value, 1);
        solution_choose(&s, 1, value, value ? 1 : 0);
        solution_settle(&s, 2, false);
        CU_ASSERT_EQUAL(prove(&c.base, &s, 0, &account, &e), ERR_SYSTEM);
        solution_close(&s);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

/* ---- limits and refusals ----------------------------------------------------------------------- */

/* Solve all and prove the root, on account `m`. */
static int solve_and_prove(const graph *g, mem *m, err *e)
{
    resolution *r = NULL;
    bool value;
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = "auto", .choices = true, .exhaustive = true };
    o.log = &quiet;
    if (resolution_open(&r, m, g, &o, e) == 0 &&
        resolution_solve(r, g->root, &value, e) == 0)
        prove(g, resolution_solution(r), g->root, m, e);
    resolution_close(r);
    return (int)e->code;
}

static void a_refused_allocation_is_told(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        nested_case c;
        int code = ERR_LIMIT;
        nested_case_make(&c, seed, NESTED_VERTICES);
        for (size_t at = 1; code != 0 && at < 1000; at++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            m.fail_at = at;
            code = solve_and_prove(&c.base, &m, &e);
            CU_ASSERT_EQUAL_FATAL(m.now, 0);
            CU_ASSERT(code == 0 || code == ERR_LIMIT);
        }
        CU_ASSERT_EQUAL(code, 0);
    }
}

static const struct {
    const char *algorithm;
    graph_sign sign;
    unsigned promise;
    const char *message;
} refusals[] = {
    { "a1", GRAPH_NU, GRAPH_DISJUNCTIVE | GRAPH_PURE,
      "a1 does not accept fixed points within each other, as < R > @ makes them; auto "
      "and a4 do (block 0)" },
    { "a4", GRAPH_NU, GRAPH_CONJUNCTIVE,
      "a4 does not accept buchi blocks that are not disjunctive (block 0)" },
    { "a4", GRAPH_MU, GRAPH_DISJUNCTIVE,
      "a4 does not accept cobuchi blocks that are not conjunctive (block 0)" },
    { "auto", GRAPH_NU, GRAPH_GENERAL,
      "no algorithm accepts fixed points within each other unless they are greatest "
      "outside and disjunctive (block 0)" },
    { "auto", GRAPH_MU, GRAPH_ACYCLIC,
      "no algorithm accepts fixed points within each other unless they are least outside "
      "and conjunctive (block 0)" },
};

static void refusals_say_why(void)
{
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        chain c = { .base = { .class = &chain_class, .vertices = 3, .block_count = 1 } };
        c.block = (graph_block){ .sign = refusals[i].sign, .end = 3, .outer_end = 1 };
        c.block.promise = refusals[i].promise;
        c.base.blocks = &c.block;
        resolution *r = NULL;
        err e = ERR_INIT;
        resolution_options o = { .algorithm = refusals[i].algorithm };
        CU_ASSERT_EQUAL(resolution_open(&r, &account, &c.base, &o, &e), ERR_REFUSED);
        CU_ASSERT_STRING_EQUAL(e.text, refusals[i].message);
    }
    CU_ASSERT_EQUAL(account.now, 0);
}

CU_TestInfo test_nested[] = {
    { "values and proofs are right in any order",
      values_and_proofs_are_right_in_any_order },
    { "only open paths are followed", only_open_paths_are_followed },
    { "a good cycle is found at once", a_good_cycle_is_found_at_once },
    { "wrong values have no proof", wrong_values_have_no_proof },
    { "long chains and cycles are no trouble", long_chains_and_cycles_are_no_trouble },
    { "a refused allocation is told", a_refused_allocation_is_told },
    { "refusals say why", refusals_say_why },
    CU_TEST_INFO_NULL,
};
