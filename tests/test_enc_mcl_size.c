/*
 * test_enc_mcl_size.c - formulas over models that are small, wide, deep or odd: how many
 * vertices there are, rows in stretches, widths of labels, long chains, and memory that fails.
 */
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "encodings/bes_of_graph.h"
#include "tests/mcl_question.h"
#include "tests/sample_lts.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_question(mcl_question *c, mem *m, const char *formula, const lts *g,
                          bool acyclic)
{
    err e = ERR_INIT;
    if (mcl_question_open(c, m, formula, g, acyclic, &e) != 0) printf("\n%s\n", e.text);
    CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
}

static void expect(const char *wrong, const char *formula)
{
    if (wrong) printf("%s: %s\n", wrong, formula);
    CU_ASSERT_PTR_NULL(wrong);
}

/* ---- how many vertices --------------------------------------------------------------------- */

static void what_labels_decide_costs_no_vertex(void)
{
    static const struct {
        const char *formula;
        vertex_id positions;
    } rows[] = {
        { "true", 1 },
        { "[ true* ] < true > true", 1 },
        { "< true* > [ true ] false", 1 },
        { "mu X . (< true > true and [ not \"b\" ] X)", 1 },
        { "nu X . (< \"a\" > true or < true > true and [ true ] X)", 1 },
        { "< \"i\" > @", 1 },
        { "< true* > < \"i\" > @", 2 },
        { "mu X . (< \"a\" > X and [ \"b\" ] X)", 2 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (state_id states = 1; states < 40; states += 13) {
            mem m = MEM_INIT;
            mcl_question c;
            lts g = sample_lts_random(&m, states, 2 * states, 5, i + 1);
            open_question(&c, &m, rows[i].formula, &g, false);
            vertex_id found = enc_mcl_graph(c.x)->vertices;
            if (found != rows[i].positions * states)
                printf("\n%s: %u vertices, %u states", rows[i].formula, found, states);
            CU_ASSERT_EQUAL(found, rows[i].positions * states);
            mcl_question_close(&c);
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
        }
}

/* ---- one state ----------------------------------------------------------------------------- */

static void one_state_is_a_model(void)
{
    static const sample_edge loops[] = { { 0, "a", 0 }, { 0, "i", 0 }, { 0, "a", 0 } };
    static const struct {
        const char *formula;
        bool alone, looping; /* its value without and with the transitions */
    } rows[] = {
        { "[ true* ] < true > true", false, true },
        { "< true* > [ true ] false", true, false },
        { "< true* . \"i\" > @", false, true },
        { "[ \"a\"+ ] -|", true, false },
        { "mu X . [ true ] X", true, false },
        { "nu X . (< \"a\" > X and [ \"b\" ] false)", false, true },
        { "mu X . (< \"a\" > X and [ \"i\" ] X)", false, false },
        { "[ nil ] true", true, true },
        { "[ \"none\"+ ] -|", true, true }, /* nested blocks without an operator */
        { "< \"none\" . (\"a\" | \"none\"+) > @", false, false },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int edges = 0; edges < 2; edges++) {
            mem m = MEM_INIT;
            mcl_question c;
            mcl_question_tally t = { .diagnostics = 0 };
            bool right = edges ? rows[i].looping : rows[i].alone;
            lts g = sample_lts(&m, 1, 0, loops, edges ? COUNT_OF(loops) : 0);
            open_question(&c, &m, rows[i].formula, &g, false);
            CU_ASSERT_EQUAL(mcl_question_meaning(&c), right);
            expect(mcl_question_try_all(&c, right, &t), rows[i].formula);
            CU_ASSERT(t.diagnostics > 0);
            mcl_question_close(&c);
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
        }
}

/* ---- rows in stretches --------------------------------------------------------------------- */

enum { DEGREE = 100000 };

/* State 0 leads to all states; every tenth label is "b", the last one "c", all else "a". */
static lts star(mem *m)
{
    static const sample_edge first[] = { { 0, "a", 0 }, { 0, "b", 0 }, { 0, "c", 0 } };
    lts small = sample_lts(m, 1, 0, first, COUNT_OF(first));
    lts g = { .m = m, .states = DEGREE, .transitions = DEGREE, .label_bytes = 1 };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(lts_allocate(&g, &e), 0);
    for (state_id s = 0; s < DEGREE; s++) {
        g.first[s + 1] = DEGREE;
        g.target[s] = s;
        lts_set_label(&g, s, s == DEGREE - 1 ? 2 : s % 10 == 0);
    }
    g.labels = small.labels;
    small.labels = NULL;
    lts_close(&small);
    return g;
}

/* Successors of the root through a window; `*stretches` counts the calls. */
static uint32_t root_row(const graph *g, uint32_t room, vertex_id *to,
                         uint32_t *stretches)
{
    uint32_t count = 0;
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    for (*stretches = 0; row.next != GRAPH_ROW_END; ++*stretches) {
        graph_expand(g, g->root, row.next, to + count, room, &row);
        CU_ASSERT_FATAL(row.count <= room);
        count += row.count;
    }
    return count;
}

static void a_long_row_comes_in_stretches(void)
{
    static const struct {
        const char *formula;
        uint32_t count; /* successors of the root */
    } rows[] = {
        { "mu X . < true > X", DEGREE },
        { "mu X . < \"b\" > X", DEGREE / 10 },
        { "mu X . < \"c\" > X", 1 },
        { "mu X . (< \"b\" > X or < true > X or < \"c\" > X)", DEGREE / 10 + DEGREE + 1 },
        { "mu X . < \"none\" > X", 0 },
        { "mu X . ([ \"b\" ] true and < true > true and [ \"a\" ] X)",
          DEGREE - DEGREE / 10 - 1 },
    };
    static const uint32_t rooms[] = { 1, 2, 7, 64, 4096, 3 * DEGREE };
    static vertex_id whole[4 * DEGREE], part[4 * DEGREE];
    mem m = MEM_INIT;
    lts g = star(&m);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mcl_question c;
        uint32_t calls;
        open_question(&c, &m, rows[i].formula, &g, false);
        uint32_t count = root_row(enc_mcl_graph(c.x), 3 * DEGREE, whole, &calls);
        CU_ASSERT_EQUAL(count, rows[i].count);
        for (size_t k = 0; k < COUNT_OF(rooms); k++) {
            CU_ASSERT_EQUAL(root_row(enc_mcl_graph(c.x), rooms[k], part, &calls), count);
            CU_ASSERT_EQUAL(memcmp(part, whole, count * sizeof *part), 0);
            CU_ASSERT(calls <= count / rooms[k] + 4);
        }
        mcl_question_close(&c);
    }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* ---- labels -------------------------------------------------------------------------------- */

static void labels_of_every_width(void)
{
    static const label_id counts[] = { 5, 256, 257, 300, 65536, 65537, 70000 };
    static const char *const forms[] = { "< true* . \"%s\" > true",
                                         "[ true* ] (< \"%s\" > true or < true > true)",
                                         "mu X . (< \"%s\" > true or < true > X)",
                                         "[ (not \"%s\")* ] < \"%s\" > true",
                                         "< true* . 'SEND.*' > @" };
    for (size_t i = 0; i < COUNT_OF(counts) * COUNT_OF(forms); i++) {
        mem m = MEM_INIT;
        mcl_question c;
        mcl_question_tally t = { .diagnostics = 0 };
        char text[200];
        const label_id labels = counts[i / COUNT_OF(forms)];
        lts g = sample_lts_random(&m, 20, 30, labels, i + 1);
        CU_ASSERT_EQUAL(g.label_bytes, labels <= 256 ? 1u : labels <= 65536 ? 2u : 4u);
        lts_set_label(&g, 29, labels - 1 - (labels - 1) % 8); /* "L...", a high number */
        const char *name = label_table_text(g.labels, lts_label(&g, 29), NULL);
        snprintf(text, sizeof text, forms[i % COUNT_OF(forms)], name, name);
        open_question(&c, &m, text, &g, false);
        expect(mcl_question_try_all(&c, mcl_question_meaning(&c), &t), text);
        CU_ASSERT(t.diagnostics > 0);
        mcl_question_close(&c);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

/* ---- long chains ---------------------------------------------------------------------------- */

#ifndef BESPOKE_TEST_CHAIN
#define BESPOKE_TEST_CHAIN 10000000
#endif
static const state_id chain_states = BESPOKE_TEST_CHAIN;

/* 0 -> 1 -> ... -> the last state, the last step "b", all others "a". */
static lts chain(mem *m)
{
    static const sample_edge first[] = { { 0, "a", 0 }, { 0, "b", 0 } };
    lts small = sample_lts(m, 1, 0, first, COUNT_OF(first));
    lts g = {
        .m = m, .states = chain_states, .transitions = chain_states - 1, .label_bytes = 1
    };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(lts_allocate(&g, &e), 0);
    for (state_id s = 0; s < chain_states; s++) g.first[s] = s;
    g.first[chain_states] = chain_states - 1;
    for (state_id s = 0; s + 1 < chain_states; s++) {
        g.target[s] = s + 1;
        lts_set_label(&g, s, s + 2 == chain_states);
    }
    g.labels = small.labels;
    small.labels = NULL;
    lts_close(&small);
    return g;
}

static void a_very_long_chain_is_no_trouble(void)
{
    static const char *const solvers[] = { "a1", "a2", "a3", "a4", "a4-bfs" };
    static const struct {
        const char *formula;
        bool right;
        size_t accepted;       /* by so many of the solvers */
        const char *certified; /* this one's proof; it takes a while */
    } rows[] = {
        { "< true* > [ true ] false", true, 5, "a4" },
        { "[ true* ] < true > true", false, 5, "" },
        { "mu X . (< true > true and [ true ] X)", false, 4, "a3" },
        { "mu X . (< \"b\" > true or < true > true and [ not \"b\" ] X)", true, 4, "a1" },
    };
    mem m = MEM_INIT;
    lts g = chain(&m);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t k = 0; k < COUNT_OF(solvers); k++) {
            mcl_question c;
            uint64_t solved = 0;
            bool choices = strcmp(solvers[k], rows[i].certified) == 0;
            open_question(&c, &m, rows[i].formula, &g, strcmp(solvers[k], "a3") == 0);
            CU_ASSERT_EQUAL(enc_mcl_graph(c.x)->vertices, chain_states);
            expect(mcl_question_try(&c, solvers[k], choices, rows[i].right, &solved),
                   rows[i].formula);
            CU_ASSERT_EQUAL(solved, k < rows[i].accepted);
            mcl_question_close(&c);
        }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* ---- memory that fails ---------------------------------------------------------------------- */

static int solve(const graph *g, mem *m, const char *solver, err *e)
{
    static const log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = solver, .choices = true, .log = &quiet };
    resolution *r = NULL;
    proof p;
    bool value;
    if (resolution_open(&r, m, g, &o, e) == 0 &&
        resolution_solve(r, g->root, &value, e) == 0 &&
        proof_open(&p, m, g, resolution_solution(r), g->root, e) == 0)
        proof_close(&p);
    resolution_close(r);
    return (int)e->code;
}

/* A question from its text to its equations; `m` is not the account of the model. */
static int life(const char *formula, const lts *g, mem *m, const char *solver, err *e)
{
    mcl_question c;
    bes b;
    if (mcl_question_open(&c, m, formula, g, false, e) == 0 &&
        solve(enc_mcl_graph(c.x), m, solver, e) == 0 &&
        bes_of_graph(&b, m, enc_mcl_graph(c.x), NULL, e) == 0)
        bes_close(&b);
    mcl_question_close(&c);
    return (int)e->code;
}

static void every_failing_allocation_leaves_nothing(void)
{
    static const struct {
        const char *formula, *solver;
        int end; /* when all allocations succeed */
    } rows[] = {
        { "[ true* ] (< \"a\" . \"b\"* > true or mu X . (< true > true and [ 'x*' ] X))",
          "a1", 0 },
        { "[ true* ] (< \"a\" . \"b\"* > true or mu X . (< true > true and [ 'x*' ] X))",
          "a2", 0 },
        { "< true* > (< \"b\" > @ and [ \"c\" ] false)", "auto", 0 },
        { "< true* . \"a\" > @", "auto", ERR_REFUSED }, /* as a .bes */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem other = MEM_INIT;
        lts g = sample_lts_random(&other, 30, 60, 3, 7);
        size_t n = 0;
        for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            m.fail_at = ++n;
            rc = life(rows[i].formula, &g, &m, rows[i].solver, &e);
            CU_ASSERT_EQUAL_FATAL(m.now, 0);
            if (m.calls >= n) CU_ASSERT_EQUAL_FATAL(rc, ERR_LIMIT);
            if (m.calls < n) CU_ASSERT_EQUAL_FATAL(rc, rows[i].end);
        }
        CU_ASSERT(n > 40);
        lts_close(&g);
        CU_ASSERT_EQUAL(other.now, 0);
    }
}

CU_TestInfo test_enc_mcl_size[] = {
    { "what labels decide costs no vertex", what_labels_decide_costs_no_vertex },
    { "one state is a model", one_state_is_a_model },
    { "a long row comes in stretches", a_long_row_comes_in_stretches },
    { "labels of every width", labels_of_every_width },
    { "a very long chain is no trouble", a_very_long_chain_is_no_trouble },
    { "every failing allocation leaves nothing",
      every_failing_allocation_leaves_nothing },
    CU_TEST_INFO_NULL
};
