/*
 * test_graph_trouble.c - a graph whose rows fail after so many: whoever walks it passes that on.
 */
#include "algorithms/certify.h"
#include "algorithms/diag.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "encodings/bes_of_graph.h"
#include "tests/mcl_case.h"
#include "tests/mcl_question.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>

/* Another graph, as long as there are rows left. */
typedef struct tired_graph {
    graph base; /* first */
    const graph *inner;
    uint64_t left;
    err trouble;
} tired_graph;

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    tired_graph *t = (tired_graph *)(uintptr_t)g;
    graph_expand(t->inner, v, place, buffer, room, out);
    if (t->left > 0) {
        t->left--;
        return;
    }
    err_set(&t->trouble, ERR_INPUT, "tired");
    out->count = 0;
    out->next = GRAPH_ROW_END;
}

static const graph_class tired_class = { .name = "tired", .expand = expand };

static void tire(tired_graph *t, const graph *inner)
{
    *t = (tired_graph){ .base = *inner, .inner = inner, .left = UINT64_MAX };
    t->base.class = &tired_class;
    t->base.trouble = &t->trouble;
}

/* ---- who walks ----------------------------------------------------------------------------- */

typedef enum { SOLVE, SOLVE_ALL, SHORTEN, PROVE, CERTIFY, COPY, WALKS } walk_kind;

static int certify_all(const proof *p, const graph *g, mem *m, err *e)
{
    certify *k;
    if (certify_open(&k, m, g, p->value, e) != 0) return (int)e->code;
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        certify_enter(k, p->vertices.at[i].vertex, p->vertices.at[i].rank, e);
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        certify_check(k, p->vertices.at[i].vertex, p->vertices.at[i].choice, e);
    if (e->code == ERR_NONE) certify_finish(k, g->root, e);
    certify_close(k);
    return (int)e->code;
}

/* Solve and prove, and in the phase that is meant with `rows` rows only. */
static int walk(walk_kind kind, tired_graph *t, const char *solver, uint64_t rows, mem *m,
                err *e)
{
    static const log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = solver, .choices = true, .log = &quiet };
    const graph *g = &t->base;
    resolution *r = NULL;
    proof p = { .m = NULL };
    diag_result found;
    bes b;
    bool value;
    o.exhaustive = kind == SOLVE_ALL;
    if (kind == SOLVE || kind == SOLVE_ALL) t->left = rows;
    if (resolution_open(&r, m, g, &o, e) != 0) return (int)e->code;
    resolution_solve(r, g->root, &value, e);
    if (kind == SHORTEN) t->left = rows;
    if (e->code == ERR_NONE) diag_shorten(resolution_run(r), g->root, &found, e);
    if (kind == PROVE) t->left = rows;
    if (e->code == ERR_NONE) proof_open(&p, m, g, resolution_solution(r), g->root, e);
    if (kind == CERTIFY) t->left = rows;
    if (e->code == ERR_NONE) certify_all(&p, g, m, e);
    if (kind == COPY) t->left = rows;
    if (e->code == ERR_NONE && bes_of_graph(&b, m, g, NULL, e) == 0) bes_close(&b);
    proof_close(&p);
    resolution_close(r);
    return (int)e->code;
}

/* With few rows and more of them, until there are enough; what is wrong, or NULL. */
static const char *try_walk(walk_kind kind, const mcl_question *c, const char *solver,
                            uint64_t *failed)
{
    for (uint64_t rows = 0;; rows++) {
        tired_graph t;
        err e = ERR_INIT;
        tire(&t, enc_mcl_graph(c->x));
        int code = walk(kind, &t, solver, rows, c->m, &e);
        if (t.trouble.code == ERR_NONE)
            return code == 0 || code == ERR_REFUSED ? NULL : "fails by itself";
        ++*failed;
        if (code != ERR_INPUT) return "trouble is not passed on";
    }
}

static void whoever_walks_passes_it_on(void)
{
    static const char *const solvers[] = { "auto", "a1", "a2", "a4", "hello" };
    uint64_t failed[WALKS] = { 0 };
    for (uint64_t seed = 1; seed <= 300 && CU_get_number_of_failures() < 5; seed++) {
        mem m = MEM_INIT;
        mcl_random r = { seed << 32 };
        char text[1500];
        err e = ERR_INIT;
        mcl_question c;
        lts g;
        mcl_case_formula(&r, text, sizeof text);
        mcl_case_lts(&r, &g, &m, 6);
        bool open = mcl_question_open(&c, &m, text, &g, false, &e) == 0;
        for (int kind = 0; open && kind < WALKS; kind++) {
            const char *solver = solvers[seed % COUNT_OF(solvers)];
            const char *wrong = try_walk((walk_kind)kind, &c, solver, &failed[kind]);
            if (wrong)
                printf("\nseed %" PRIu64 ", phase %d, %s: %s: %s", seed, kind, solver,
                       wrong, text);
            CU_ASSERT_PTR_NULL(wrong);
        }
        mcl_question_close(&c);
        lts_close(&g);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    for (int kind = 0; kind < WALKS; kind++) {
        printf("%" PRIu64 " ", failed[kind]);
        CU_ASSERT(failed[kind] > 100);
    }
}

/* ---- what is charged for -------------------------------------------------------------------- */

static void columns_are_charged_where_rows_led(void)
{
    static const struct {
        bool choices;
        size_t block_columns, each;
    } rows[] = { { false, 0, 1 }, { true, 0, 5 }, { false, 1, 5 }, { true, 2, 13 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        enum { MET = 100000, USED = 3 };
        mem m = MEM_INIT;
        err e = ERR_INIT;
        uint32_t met = MET, used = USED;
        graph g = { .vertices = 1 << 24, .met = &met, .used = &used, .stride = 1 << 20 };
        solution s;
        CU_ASSERT_EQUAL_FATAL(solution_open(&s, &m, &g, rows[i].choices, &e), 0);
        solution_note_block(&s, rows[i].block_columns);
        solution_note_block(&s, rows[i].block_columns / 2); /* of another: as before */
        CU_ASSERT_EQUAL(m.now, 0);
        run r = { .m = &m, .g = &g, .found = &s };
        CU_ASSERT_EQUAL(run_tick(&r, 1, &e), 0); /* whatever the step: it is due */
        CU_ASSERT(m.now >= MET * USED * rows[i].each);
        CU_ASSERT(m.now <= MET * USED * rows[i].each * 21 / 20 + (USED + 1) * 4 * 8192);
        size_t charged = m.now;
        used++;
        CU_ASSERT_EQUAL(run_tick(&r, 2, &e), 0);
        CU_ASSERT(m.now >= charged + MET * rows[i].each);
        solution_close(&s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void the_first_message_wins(void)
{
    err trouble = ERR_INIT, e = ERR_INIT;
    graph g = { .trouble = &trouble };
    CU_ASSERT_EQUAL(graph_trouble(&g, &e), 0);
    err_set(&trouble, ERR_INPUT, "a row");
    CU_ASSERT_EQUAL(graph_trouble(&g, &e), ERR_INPUT);
    CU_ASSERT_STRING_EQUAL(e.text, "a row");
    e = ERR_INIT;
    err_set(&e, ERR_LIMIT, "before");
    CU_ASSERT_EQUAL(graph_trouble(&g, &e), ERR_LIMIT);
    CU_ASSERT_STRING_EQUAL(e.text, "before");
}

CU_TestInfo test_graph_trouble[] = {
    { "whoever walks passes it on", whoever_walks_passes_it_on },
    { "columns are charged where rows led", columns_are_charged_where_rows_led },
    { "the first message wins", the_first_message_wins },
    CU_TEST_INFO_NULL
};
