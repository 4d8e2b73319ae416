/*
 * test_enc_mcl.c - formulas over models as graphs, against the meaning of the formula.
 */
#include "algorithms/algorithm.h"
#include "encodings/bes_of_graph.h"
#include "tests/mcl_case.h"
#include "tests/mcl_oracle.h"
#include "tests/mcl_question.h"
#include "tests/naive_bes.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------------------------- */

enum { ROW_MAX = 512 };

static uint32_t read_row(const graph *g, vertex_id v, uint32_t room, vertex_id *to,
                         graph_op *op)
{
    uint32_t count = 0;
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    do {
        vertex_id stretch[ROW_MAX];
        graph_expand(g, v, row.next, stretch, room, &row);
        CU_ASSERT_FATAL(row.count <= room && count + row.count <= ROW_MAX);
        memcpy(to + count, stretch, row.count * sizeof *to);
        count += row.count;
    } while (row.next != GRAPH_ROW_END);
    *op = row.op;
    return count;
}

/* The same row whatever the room; successors in the same block or a later one. */
static void check_row(const graph *g, vertex_id v, uint32_t *inside)
{
    vertex_id whole[ROW_MAX], part[ROW_MAX];
    graph_op op, again;
    uint32_t count = read_row(g, v, ROW_MAX, whole, &op), b = graph_block_of(g, v);
    for (uint32_t room = 1; room <= 3; room++) {
        CU_ASSERT_EQUAL_FATAL(read_row(g, v, room, part, &again), count);
        CU_ASSERT_FATAL(memcmp(part, whole, count * sizeof *part) == 0);
    }
    *inside = 0;
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT_FATAL(whole[i] < g->vertices && graph_block_of(g, whole[i]) >= b);
        if (graph_block_of(g, whole[i]) == b && (*inside == 0 || whole[i] != whole[0]))
            ++*inside;
    }
}

/* What is promised of every vertex, reachable or not. */
static void check_promises(const graph *g)
{
    for (vertex_id v = 0; v < g->vertices; v++) {
        const graph_block *b = &g->blocks[graph_block_of(g, v)];
        vertex_id to[ROW_MAX];
        graph_op op;
        uint32_t inside, count = read_row(g, v, ROW_MAX, to, &op);
        check_row(g, v, &inside);
        bool other_of[2] = { (b->promise & GRAPH_CONJUNCTIVE) != 0,
                             (b->promise & GRAPH_DISJUNCTIVE) != 0 };
        if (!other_of[op]) continue;
        CU_ASSERT_FATAL(inside <= 1);
        CU_ASSERT_FATAL(!(b->promise & GRAPH_PURE) || count == 0);
    }
    CU_ASSERT_FATAL(g->root >= g->blocks[0].begin && g->root < g->blocks[0].end);
}

/* ---- solving ------------------------------------------------------------------------------- */

typedef struct tally {
    mcl_question_tally by;
    uint64_t formulas, refused, nested;
} tally;

static const char *try_system(const mcl_question *c, bool right, tally *t)
{
    bes b;
    err e = ERR_INIT;
    if (bes_of_graph(&b, c->m, enc_mcl_graph(c->x), NULL, &e) != 0) {
        t->nested += e.code == ERR_REFUSED;
        return e.code == ERR_REFUSED ? NULL : "no equations";
    }
    uint8_t *value = malloc(b.vertices);
    naive_bes_solve(&b, value);
    bool same = value[bes_find(&b, (bes_name){ 0, 0 })] == right;
    free(value);
    bes_close(&b);
    return same ? NULL : "the equations have another value";
}

/* ---- random cases ---------------------------------------------------------------------------- */

static bool random_case(uint64_t seed, tally *t)
{
    enum { STATES = 9 };
    mem m = MEM_INIT;
    mcl_random r = { seed << 32 };
    char text[1500];
    err e = ERR_INIT;
    lts g;
    mcl_question c;
    const char *wrong = NULL;
    mcl_case_formula(&r, text, sizeof text);
    mcl_case_lts(&r, &g, &m, STATES);
    if (mcl_question_open(&c, &m, text, &g, false, &e) == 0) {
        bool right = mcl_question_meaning(&c);
        t->formulas++;
        check_promises(enc_mcl_graph(c.x));
        wrong = try_system(&c, right, t);
        if (!wrong) wrong = mcl_question_try_all(&c, right, &t->by);
    } else {
        CU_ASSERT_EQUAL(e.code, ERR_REFUSED);
        t->refused++;
    }
    if (wrong) printf("%s; seed %" PRIu64 ": %s\n", wrong, seed, text);
    mcl_question_close(&c);
    lts_close(&g);
    CU_ASSERT_EQUAL_FATAL(m.now, 0);
    return wrong == NULL;
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void every_solver_finds_the_meaning_and_a_reason(void)
{
    uint64_t seed = number_from("BESPOKE_TEST_SEED", 1);
    uint64_t cases = number_from("BESPOKE_TEST_CASES", 8000);
    tally t = { .formulas = 0 };
    size_t count, wrong = 0;
    const algorithm *const *all = algorithm_list(&count);
    for (uint64_t i = 0; i < cases && wrong < 5; i++) wrong += !random_case(seed + i, &t);
    CU_ASSERT_EQUAL(wrong, 0);
    printf("seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " formulas, %" PRIu64
           " refused, %" PRIu64 " with nested blocks, %" PRIu64 " diagnostics",
           seed, seed + cases - 1, t.formulas, t.refused, t.nested, t.by.diagnostics);
    for (size_t i = 0; i <= count; i++) {
        printf(", %s %" PRIu64, i < count ? all[i]->name : "auto", t.by.solved[i]);
        CU_ASSERT(t.by.solved[i] > cases / 100);
    }
}

static bool oracle_case(void *self, const char *formula, const lts *g, bool verdict)
{
    tally *t = self;
    mcl_question c;
    err e = ERR_INIT;
    const char *wrong = "no graph";
    if (mcl_question_open(&c, g->m, formula, g, false, &e) == 0) {
        t->formulas++;
        check_promises(enc_mcl_graph(c.x));
        wrong = try_system(&c, verdict, t);
        if (!wrong) wrong = mcl_question_try_all(&c, verdict, &t->by);
    }
    if (wrong) printf("%s: %s\n", wrong, formula);
    mcl_question_close(&c);
    return wrong == NULL;
}

static void verdicts_are_those_of_other_tools(void)
{
    tally t = { .formulas = 0 };
    unsigned count = mcl_oracle_each(oracle_case, &t);
    CU_ASSERT_EQUAL(t.formulas, count);
    printf("%u cases, %" PRIu64 " diagnostics ... ", count, t.by.diagnostics);
}

CU_TestInfo test_enc_mcl[] = { { "every solver finds the meaning and a reason",
                                 every_solver_finds_the_meaning_and_a_reason },
                               { "verdicts are those of other tools, with reasons",
                                 verdicts_are_those_of_other_tools },
                               CU_TEST_INFO_NULL };
