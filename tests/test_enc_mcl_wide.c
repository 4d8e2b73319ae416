/*
 * test_enc_mcl_wide.c - formulas over models whose states are met on the fly: as over the same
 * LTS with all its rows, and as the formula means.
 */
#include "algorithms/certify.h"
#include "algorithms/diag.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "encodings/bes_of_graph.h"
#include "tests/mcl_case.h"
#include "tests/mcl_oracle.h"
#include "tests/mcl_question.h"
#include "tests/naive_bes.h"
#include "tests/sample_lts.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const log_sink quiet = { .level = LOG_QUIET };

/* ---- the same LTS, transitions as a set -------------------------------------------------------- */

static bool is_first(const lts *g, state_id s, uint64_t t)
{
    uint64_t k = g->first[s];
    while (k < t && (g->target[k] != g->target[t] || lts_label(g, k) != lts_label(g, t)))
        k++;
    return k == t;
}

/* Its labels are those of `g`. */
static lts set_of(const lts *g)
{
    lts set = { .m = g->m, .states = g->states, .initial = g->initial };
    err e = ERR_INIT;
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            set.transitions += is_first(g, s, t);
    set.label_bytes = g->label_bytes;
    set.labels = g->labels;
    if (lts_allocate(&set, &e) != 0) abort();
    uint64_t n = 0;
    for (state_id s = 0; s < g->states; s++) {
        set.first[s] = n;
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            if (is_first(g, s, t)) {
                set.target[n] = g->target[t];
                lts_set_label(&set, n++, lts_label(g, t));
            }
    }
    set.first[set.states] = n;
    return set;
}

static void close_set(lts *set)
{
    set->labels = NULL;
    lts_close(set);
}

/* ---- counts -------------------------------------------------------------------------------------- */

typedef struct counts {
    int code;
    bool value;
    uint64_t vertices, edges;
} counts;

static counts solve_all(const mcl_question *c, const char *solver)
{
    resolution_options o = { .algorithm = solver, .exhaustive = true, .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    counts n = { .code = 0 };
    const graph *g = enc_mcl_graph(c->x);
    if (resolution_open(&r, c->m, g, &o, &e) == 0 &&
        resolution_solve(r, g->root, &n.value, &e) == 0) {
        n.vertices = resolution_solution(r)->seen;
        n.edges = resolution_solution(r)->edges;
    }
    resolution_close(r);
    n.code = (int)e.code;
    return n;
}

static bool is_same(const counts *a, const counts *b)
{
    return a->code == b->code && a->value == b->value && a->vertices == b->vertices &&
           a->edges == b->edges;
}

static const char *compare_counts(const mcl_question *wide, const mcl_question *rows)
{
    size_t count;
    const algorithm *const *all = algorithm_list(&count);
    for (size_t i = 0; i < count; i++) {
        counts a = solve_all(wide, all[i]->name), b = solve_all(rows, all[i]->name);
        if (is_same(&a, &b)) continue;
        printf("\n%s: %d %d %" PRIu64 " %" PRIu64 ", with rows %d %d %" PRIu64 " %" PRIu64
               "\n",
               all[i]->name, a.code, a.value, a.vertices, a.edges, b.code, b.value,
               b.vertices, b.edges);
        return "other counts than with rows";
    }
    return NULL;
}

static const char *compare_systems(const mcl_question *c, bool right)
{
    bes b;
    err e = ERR_INIT;
    if (bes_of_graph(&b, c->m, enc_mcl_graph(c->x), NULL, &e) != 0)
        return e.code == ERR_REFUSED ? NULL : "no equations";
    uint8_t *value = malloc(b.vertices);
    if (value == NULL) abort();
    naive_bes_solve(&b, value);
    bool same = value[bes_find(&b, (bes_name){ 0, 0 })] == right;
    free(value);
    bes_close(&b);
    return same ? NULL : "the equations have another value";
}

/* ---- random cases --------------------------------------------------------------------------------- */

typedef struct tally {
    mcl_question_tally by;
    uint64_t formulas, refused, limits, failures, verdicts;
} tally;

/* Verdicts, reasons, counts and equations, of one formula over one LTS. */
static const char *try_case(const char *text, const lts *g, uint64_t seed,
                            const bool *right, tally *t)
{
    err e = ERR_INIT;
    mcl_question wide, rows;
    wide_model w;
    const char *wrong = NULL;
    lts set = set_of(g);
    enc_mcl_options o = { .capacity = seed % 3 ? 0 : 100 };
    wide_model_open(&w, g, (uint32_t)(1 + seed % WIDE_MODEL_WORDS));
    w.doubles = seed % 2;
    mcl_question_open_wide(&wide, g->m, text, &w, &o, &e);
    if (e.code == ERR_NONE &&
        mcl_question_open(&rows, g->m, text, &set, false, &e) == 0) {
        bool meaning = right ? *right : mcl_question_meaning(&wide);
        t->formulas++;
        wrong = mcl_question_try_all(&wide, meaning, &t->by);
        if (!wrong) wrong = compare_counts(&wide, &rows);
        if (!wrong) wrong = compare_systems(&wide, meaning);
        mcl_question_close(&rows);
    } else if (e.code != ERR_REFUSED) {
        wrong = e.text;
    }
    t->refused += e.code == ERR_REFUSED;
    if (wrong) printf("%s; seed %" PRIu64 ": %s\n", wrong, seed, text);
    mcl_question_close(&wide);
    close_set(&set);
    return wrong ? "wrong" : NULL;
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Hand a formula and an LTS for each seed to `each`, until five are wrong. */
typedef const char *random_case(const char *text, const lts *g, uint64_t seed, tally *t);

static void run_cases(random_case *each, uint64_t cases, tally *t)
{
    uint64_t seed = number_from("BESPOKE_TEST_SEED", 1), wrong = 0;
    cases = number_from("BESPOKE_TEST_CASES", cases);
    for (uint64_t i = seed; i < seed + cases && wrong < 5; i++) {
        mem m = MEM_INIT;
        mcl_random r = { i << 32 };
        char text[1500];
        lts g;
        mcl_case_formula(&r, text, sizeof text);
        mcl_case_lts(&r, &g, &m, 9);
        wrong += each(text, &g, i, t) != NULL;
        lts_close(&g);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    printf("seeds %" PRIu64 " to %" PRIu64 ": ", seed, seed + cases - 1);
}

static const char *compare_case(const char *text, const lts *g, uint64_t seed, tally *t)
{
    return try_case(text, g, seed, NULL, t);
}

static void every_solver_answers_as_with_rows(void)
{
    tally t = { .formulas = 0 };
    size_t count;
    algorithm_list(&count);
    run_cases(compare_case, 2000, &t);
    printf("%" PRIu64 " formulas, %" PRIu64 " refused, %" PRIu64 " diagnostics ",
           t.formulas, t.refused, t.by.diagnostics);
    for (size_t i = 0; i <= count; i++) CU_ASSERT(t.by.solved[i] > t.formulas / 50);
}

static bool oracle_case(void *self, const char *formula, const lts *g, bool verdict)
{
    tally *t = self;
    return try_case(formula, g, t->formulas, &verdict, t) == NULL;
}

static void verdicts_are_those_of_other_tools(void)
{
    tally t = { .formulas = 0 };
    unsigned count = mcl_oracle_each(oracle_case, &t);
    CU_ASSERT_EQUAL(t.formulas, count);
    printf("%u cases, %" PRIu64 " diagnostics ... ", count, t.by.diagnostics);
}

/* ---- trouble ---------------------------------------------------------------------------------------- */

/* One question with choices, its shortened proof, its checker, its equations. */
static int live(const mcl_question *c, const char *solver, bool *value, err *e)
{
    resolution_options o = { .algorithm = solver, .choices = true, .log = &quiet };
    resolution *r = NULL;
    const graph *g = enc_mcl_graph(c->x);
    diag_result found;
    proof p;
    bes b;
    if (resolution_open(&r, c->m, g, &o, e) == 0 &&
        resolution_solve(r, g->root, value, e) == 0 &&
        diag_shorten(resolution_run(r), g->root, &found, e) == 0 &&
        proof_open(&p, c->m, g, resolution_solution(r), g->root, e) == 0) {
        certify *k = NULL;
        if (certify_open(&k, c->m, g, p.value, e) == 0)
            for (size_t i = 0; i < p.vertices.count && e->code == ERR_NONE; i++)
                certify_enter(k, p.vertices.at[i].vertex, p.vertices.at[i].rank, e);
        for (size_t i = 0; i < p.vertices.count && e->code == ERR_NONE; i++)
            certify_check(k, p.vertices.at[i].vertex, p.vertices.at[i].choice, e);
        if (e->code == ERR_NONE) certify_finish(k, g->root, e);
        certify_close(k);
        proof_close(&p);
    }
    resolution_close(r);
    if (e->code == ERR_NONE && bes_of_graph(&b, c->m, g, NULL, e) == 0) bes_close(&b);
    return (int)e->code;
}

/* A state that fails, or too many of them: that is the answer, or the answer is right. */
static const char *trouble_case(const char *text, const lts *g, uint64_t seed, tally *t)
{
    size_t count;
    const algorithm *const *all = algorithm_list(&count);
    const char *wrong = NULL;
    for (size_t i = 0; i < count && !wrong; i++) {
        err e = ERR_INIT;
        mcl_question c;
        wide_model w;
        bool value = false, capacity = seed % 2;
        enc_mcl_options o = { .capacity = capacity ? 1 + (state_id)(seed % 5) : 0 };
        wide_model_open(&w, g, 2);
        if (!capacity) w.fails_at = (state_id)(seed / 2 % g->states);
        if (mcl_question_open_wide(&c, g->m, text, &w, &o, &e) == 0) {
            bool right = mcl_question_meaning(&c);
            err_code expected = capacity ? ERR_LIMIT : ERR_INPUT;
            live(&c, all[i]->name, &value, &e);
            t->verdicts += e.code == ERR_NONE;
            t->limits += e.code == ERR_LIMIT;
            t->failures += e.code == ERR_INPUT;
            if (e.code == ERR_NONE && value != right) wrong = "the verdict is wrong";
            if (e.code != ERR_NONE && e.code != ERR_REFUSED && e.code != expected)
                wrong = e.text;
            if (wrong)
                printf("\n%s: %s; seed %" PRIu64 ": %s\n", all[i]->name, wrong, seed,
                       text);
        }
        mcl_question_close(&c);
    }
    return wrong ? "wrong" : NULL;
}

static void trouble_is_passed_on_or_made_no_difference(void)
{
    tally t = { .formulas = 0 };
    run_cases(trouble_case, 2000, &t);
    printf("%" PRIu64 " verdicts, %" PRIu64 " limits, %" PRIu64 " failures ", t.verdicts,
           t.limits, t.failures);
    CU_ASSERT(t.verdicts > 500 && t.limits > 500 && t.failures > 500);
}

static void every_failing_allocation_is_a_limit_and_leaves_nothing(void)
{
    static const struct {
        const char *formula, *solver;
    } rows[] = {
        { "[ true* ] (< \"a\" . \"b\"* > true or mu X . (< true > true and [ 'x*' ] X))",
          "a1" },
        { "[ true* ] (< \"a\" . \"b\"* > true or mu X . (< true > true and [ 'x*' ] X))",
          "a2" },
        { "< true* . \"c\" . \"c\" > true", "auto" },
        { "< true* > (< \"b\" > @ and [ \"c\" ] false)", "auto" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem other = MEM_INIT;
        mcl_random r = { 99 };
        lts g;
        size_t n = 0, limits = 0;
        mcl_case_lts(&r, &g, &other, 9);
        for (bool more = true; more; limits += more) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            mcl_question c;
            wide_model w;
            bool value;
            wide_model_open(&w, &g, 3);
            w.base.m = &m;
            m.fail_at = ++n;
            enc_mcl_options o = { .acyclic = false };
            if (mcl_question_open_wide(&c, &m, rows[i].formula, &w, &o, &e) == 0)
                live(&c, rows[i].solver, &value, &e);
            mcl_question_close(&c);
            more = m.calls >= n;
            CU_ASSERT_EQUAL_FATAL(m.now, 0);
            if (!more) CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
            if (more && e.code != ERR_LIMIT) limits--; /* one that was tried again */
            if (more) CU_ASSERT_FATAL(e.code == ERR_LIMIT || e.code == ERR_NONE);
        }
        CU_ASSERT(limits > 40);
        lts_close(&g);
    }
}

/* ---- models without end --------------------------------------------------------------------------- */

/* Two counters that go up, each alone; a deadlock where both are at `stop`. */
typedef struct grid {
    model base;
    uint32_t initial[2], stop;
} grid;

static int grid_context_open(const model *s, void **out, err *e)
{
    (void)s, (void)e;
    *out = NULL;
    return 0;
}

static int grid_moves(const model *s, void *context, const uint32_t *key,
                      model_moves *out, err *e)
{
    const grid *x = (const grid *)s;
    (void)context;
    if (key[0] == x->stop && key[1] == x->stop) return 0;
    for (label_id l = 0; l < 2; l++) {
        uint32_t *to = model_moves_add(out, l, e);
        if (to == NULL) return (int)e->code;
        to[0] = key[0] + (l == 0), to[1] = key[1] + (l == 1);
    }
    return 0;
}

static const model_class grid_class = { .name = "grid",
                                        .context_open = grid_context_open,
                                        .moves = grid_moves };

typedef struct grid_run {
    mem m;
    err e;
    bool value;
    uint64_t seen, resident; /* at the end, beyond what was there before */
} grid_run;

static void run_grid(grid_run *out, uint32_t stop, const char *formula,
                     const char *solver, bool choices)
{
    grid x = { .stop = stop };
    label_table *labels = NULL;
    mcl *f = NULL;
    mcl_equations *q = NULL;
    enc_mcl *c = NULL;
    resolution *r = NULL;
    err *e = &out->e;
    mem own = MEM_INIT;
    uint64_t before = mem_resident_anonymous();
    labels = sample_labels(&own, 2);
    x.base = (model){ .class = &grid_class, .m = &out->m, .key_words = 2 };
    x.base.initial = x.initial;
    x.base.labels = labels;
    resolution_options o = { .algorithm = solver, .choices = choices, .log = &quiet };
    if (mcl_parse(&f, &out->m, formula, NULL, e) == 0 &&
        mcl_equations_of(&q, &out->m, f, e) == 0 &&
        enc_mcl_open(&c, q, &x.base, &(enc_mcl_options){ .capacity = 0 }, e) == 0 &&
        resolution_open(&r, &out->m, enc_mcl_graph(c), &o, e) == 0) {
        resolution_solve(r, enc_mcl_graph(c)->root, &out->value, e);
        out->seen = resolution_solution(r)->seen;
    }
    uint64_t now = mem_resident_anonymous();
    out->resident = now > before ? now - before : 0;
    resolution_close(r);
    enc_mcl_close(c);
    mcl_equations_close(q);
    mcl_close(f);
    label_table_close(labels);
    CU_ASSERT_EQUAL(out->m.now, 0);
}

static const char *const solvers[] = { "auto", "a1", "a2", "a4" };

static void vertices_are_named_by_the_model(void)
{
    static const sample_edge edges[] = { { 2, "a", 1 }, { 1, "a", 0 } };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    char name[64];
    lts g = sample_lts(&m, 3, 2, edges, COUNT_OF(edges));
    wide_model w;
    mcl_question c;
    wide_model_open(&w, &g, 2);
    mcl_question_open_wide(&c, &m, "mu X . < true > X", &w, &(enc_mcl_options){ 0 }, &e);
    CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
    const graph *of = enc_mcl_graph(c.x);
    of->class->name_of(of, of->root, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "X at state <2>");
    of->class->name_of(of, of->root + 1, name, sizeof name); /* which nobody has met */
    CU_ASSERT_STRING_EQUAL(name, "X at state 1");
    mcl_question_close(&c);
    lts_close(&g);
}

static void a_near_answer_is_found_in_little_memory(void)
{
    for (size_t i = 0; i < COUNT_OF(solvers); i++) {
        bool deep =
            i == 1 || i == 3; /* depth-first never turns back: the question ends it */
        const char *formula =
            deep ? "< true . true . true . true > true" : "< true* > [ true ] false";
        grid_run out = { .m = MEM_INIT };
        run_grid(&out, 5, formula, solvers[i], true);
        CU_ASSERT(out.e.code == ERR_NONE && out.value && out.seen < 1000);
        if (out.resident > 16 << 20)
            printf("\n%s: %" PRIu64 " bytes ", solvers[i], out.resident);
        CU_ASSERT(out.resident < 32 << 20);
    }
}

static void a_model_without_end_meets_the_memory_limit(void)
{
    enum { LIMIT = 48 << 20 };
    for (size_t i = 0; i < COUNT_OF(solvers); i++) {
        grid_run out = { .m = { .limit = LIMIT } };
        run_grid(&out, UINT32_MAX, "[ true* ] < true > true", solvers[i], true);
        CU_ASSERT_EQUAL(out.e.code, ERR_LIMIT);
        CU_ASSERT(out.m.peak <= LIMIT && out.m.peak > LIMIT / 4);
        CU_ASSERT(out.seen > 100000);
        printf("%s %" PRIu64 " of %.0f MiB ", solvers[i], out.seen,
               (double)out.resident / (1 << 20));
#ifndef BESPOKE_TEST_CHAIN /* a sanitizer keeps what was freed, and more */
        CU_ASSERT(out.resident < 2 * (uint64_t)LIMIT);
#endif
    }
}

CU_TestInfo test_enc_mcl_wide[] = {
    { "every solver answers as with rows, with reasons",
      every_solver_answers_as_with_rows },
    { "verdicts are those of other tools, with reasons",
      verdicts_are_those_of_other_tools },
    { "trouble is passed on or made no difference",
      trouble_is_passed_on_or_made_no_difference },
    { "every failing allocation is a limit and leaves nothing",
      every_failing_allocation_is_a_limit_and_leaves_nothing },
    { "vertices are named by the model", vertices_are_named_by_the_model },
    { "a near answer is found in little memory",
      a_near_answer_is_found_in_little_memory },
    { "a model without end meets the memory limit",
      a_model_without_end_meets_the_memory_limit },
    CU_TEST_INFO_NULL
};
