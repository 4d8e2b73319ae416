/*
 * test_enc_mcl.c - formulas over models as graphs, against the meaning of the formula.
 */
#include "algorithms/certify.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "encodings/bes_of_graph.h"
#include "encodings/enc_mcl.h"
#include "tests/mcl_case.h"
#include "tests/naive_bes.h"
#include "tests/naive_mcl.h"
#include "tests/sample_lts.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static log_sink quiet = { .level = LOG_QUIET };

/* A formula over a model, open. */
typedef struct question {
    mem *m;
    const lts *g;
    mcl *f;
    mcl_equations *q;
    enc_mcl *x;
} question;

static int question_open(question *c, mem *m, const char *text, const lts *g, err *e)
{
    *c = (question){ .m = m, .g = g };
    enc_mcl_options o = { .acyclic = false };
    if (mcl_parse(&c->f, m, text, NULL, e) != 0) return (int)e->code;
    if (mcl_equations_of(&c->q, m, c->f, e) != 0) return (int)e->code;
    return enc_mcl_open(&c->x, c->q, g, &o, e);
}

static void question_close(question *c)
{
    enc_mcl_close(c->x);
    mcl_equations_close(c->q);
    mcl_close(c->f);
}

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

/* The part of a model that was named; transitions keep their order. */
typedef struct part {
    const lts *g;
    uint8_t *kept; /* per transition */
} part;

static int keep(void *self, uint64_t transition, err *e)
{
    (void)e;
    ((part *)self)->kept[transition] = 1;
    return 0;
}

static naive_set value_on_part(const question *c, const part *p)
{
    lts sub = { .m = c->m, .states = c->g->states, .initial = c->g->initial };
    err e = ERR_INIT;
    uint64_t n = 0;
    for (uint64_t t = 0; t < c->g->transitions; t++) sub.transitions += p->kept[t];
    sub.label_bytes = c->g->label_bytes;
    CU_ASSERT_EQUAL_FATAL(lts_allocate(&sub, &e), 0);
    for (state_id s = 0; s < sub.states; s++) {
        sub.first[s] = n;
        for (uint64_t t = c->g->first[s]; t < c->g->first[s + 1]; t++)
            if (p->kept[t]) {
                sub.target[n] = c->g->target[t];
                lts_set_label(&sub, n++, lts_label(c->g, t));
            }
    }
    sub.first[sub.states] = n;
    sub.labels = c->g->labels;
    naive_set holds = naive_mcl_tree(c->f, &sub);
    sub.labels = NULL;
    lts_close(&sub);
    return holds;
}

static bool certified(const question *c, const proof *p)
{
    err e = ERR_INIT;
    certify *k;
    const graph *g = enc_mcl_graph(c->x);
    CU_ASSERT_EQUAL_FATAL(certify_open(&k, c->m, g, p->value, &e), 0);
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_enter(k, p->vertices.at[i].vertex, p->vertices.at[i].rank, &e);
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_check(k, p->vertices.at[i].vertex, p->vertices.at[i].choice, &e);
    if (e.code == ERR_NONE) certify_finish(k, g->root, &e);
    certify_close(k);
    if (e.code != ERR_NONE) printf("\n%s", e.text);
    return e.code == ERR_NONE;
}

/* The proof holds, and the formula has the same value on the part of the model it rests on. */
static const char *check_reason(const question *c, const solution *s, bool right)
{
    err e = ERR_INIT;
    proof p;
    const graph *g = enc_mcl_graph(c->x);
    if (proof_open(&p, c->m, g, s, g->root, &e) != 0) return "there is no proof";
    part kept = { c->g, mem_get(c->m, c->g->transitions, &e) };
    for (size_t i = 0; i < p.vertices.count; i++)
        enc_mcl_support(c->x, p.vertices.at[i].vertex, p.vertices.at[i].choice, right,
                        keep, &kept, &e);
    bool fine = certified(c, &p);
    bool same = ((value_on_part(c, &kept) >> c->g->initial) & 1) == right;
    mem_put(c->m, kept.kept, c->g->transitions);
    proof_close(&p);
    if (!fine) return "the proof is not certified";
    return same ? NULL : "the formula has another value on its diagnostic";
}

typedef struct tally {
    uint64_t solved[32]; /* per solver of the registry, auto last */
    uint64_t formulas, refused, nested, diagnostics;
} tally;

static const char *try_solver(const question *c, const char *name, bool choices,
                              bool right, uint64_t *solved, uint64_t *diagnostics)
{
    resolution_options o = { .algorithm = name, .choices = choices, .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value;
    const graph *g = enc_mcl_graph(c->x);
    if (resolution_open(&r, c->m, g, &o, &e) != 0)
        return e.code == ERR_REFUSED && strcmp(name, "auto") != 0 ? NULL : "did not open";
    const char *wrong = NULL;
    if (resolution_solve(r, g->root, &value, &e) != 0) wrong = "solving failed";
    else if (value != right) wrong = "the verdict is wrong";
    else if (choices) wrong = check_reason(c, resolution_solution(r), right);
    *diagnostics += choices;
    resolution_close(r);
    ++*solved;
    return wrong;
}

static const char *try_all(const question *c, bool right, tally *t)
{
    size_t count;
    const algorithm *const *all = algorithm_list(&count);
    const char *wrong = NULL;
    for (size_t i = 0; i <= count && !wrong; i++)
        for (int choices = 0; choices < 2 && !wrong; choices++) {
            const char *name = i < count ? all[i]->name : "auto";
            wrong = try_solver(c, name, choices, right, &t->solved[i], &t->diagnostics);
            if (wrong) printf("\n%s%s: ", name, choices ? " with choices" : "");
        }
    return wrong;
}

static const char *try_system(const question *c, bool right, tally *t)
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
    question c;
    const char *wrong = NULL;
    mcl_case_formula(&r, text, sizeof text);
    mcl_case_lts(&r, &g, &m, STATES);
    if (question_open(&c, &m, text, &g, &e) == 0) {
        bool right = (naive_mcl_tree(c.f, &g) >> g.initial) & 1;
        t->formulas++;
        check_promises(enc_mcl_graph(c.x));
        wrong = try_system(&c, right, t);
        if (!wrong) wrong = try_all(&c, right, t);
    } else {
        CU_ASSERT_EQUAL(e.code, ERR_REFUSED);
        t->refused++;
    }
    if (wrong) printf("%s; seed %" PRIu64 ": %s\n", wrong, seed, text);
    question_close(&c);
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
           seed, seed + cases - 1, t.formulas, t.refused, t.nested, t.diagnostics);
    for (size_t i = 0; i <= count; i++) {
        printf(", %s %" PRIu64, i < count ? all[i]->name : "auto", t.solved[i]);
        CU_ASSERT(t.solved[i] > cases / 100);
    }
}

CU_TestInfo test_enc_mcl[] = { { "every solver finds the meaning and a reason",
                                 every_solver_finds_the_meaning_and_a_reason },
                               CU_TEST_INFO_NULL };
