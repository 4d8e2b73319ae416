/*
 * test_routes.c - certificates of models whose states have no numbers: written, read again,
 * checked with other numbers than the solver's; and spoilt ones.
 */
#include "algorithms/certify.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "core/random.h"
#include "tests/mcl_case.h"
#include "tests/mcl_question.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"
#include "tools/routes.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing and checking -------------------------------------------------------------------- */

/* A question, solved, and its proof by routes. */
typedef struct written {
    cert_header h;
    routes r;
    proof p;
    cert_vertex *vertex; /* owned */
} written;

static int put_down(written *w, mem *m, const enc_mcl *x, err *e)
{
    const proof *p = &w->p;
    w->h = (cert_header){ .problem = "mcl", .model = "m", .property = "f" };
    if (routes_of_proof(&w->r, m, x, p, e) != 0) return (int)e->code;
    w->h.verdict = p->value;
    w->h.vertices = p->vertices.count;
    w->h.states = (uint32_t)w->r.state.count;
    w->h.state = w->r.way.at;
    w->vertex = calloc(p->vertices.count, sizeof *w->vertex);
    if (w->vertex == NULL) abort();
    for (size_t i = 0; i < p->vertices.count; i++) {
        const proof_vertex *v = &p->vertices.at[i];
        vertex_id choice =
            v->choice == VERTEX_NONE ? v->choice : routes_vertex(&w->r, v->choice);
        w->vertex[i] = (cert_vertex){ routes_vertex(&w->r, v->vertex), choice, v->rank };
    }
    return 0;
}

static int write_down(written *w, const mcl_question *c, const char *solver, err *e)
{
    static const log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = solver, .choices = true, .log = &quiet };
    resolution *s = NULL;
    bool value;
    const graph *g = enc_mcl_graph(c->x);
    *w = (written){ .vertex = NULL };
    if (resolution_open(&s, c->m, g, &o, e) == 0 &&
        resolution_solve(s, g->root, &value, e) == 0 &&
        proof_open(&w->p, c->m, g, resolution_solution(s), g->root, e) == 0)
        put_down(w, c->m, c->x, e);
    resolution_close(s);
    return (int)e->code;
}

static void forget(written *w)
{
    routes_close(&w->r);
    proof_close(&w->p);
    free(w->vertex);
}

/* What a checker says of a header and its vertices. */
static int check(const cert_header *h, const cert_vertex *vertex, const mcl_question *c,
                 err *e)
{
    routes r = { .m = NULL };
    certify *k = NULL;
    const graph *g = enc_mcl_graph(c->x);
    if (certify_open(&k, c->m, g, h->verdict, e) == 0)
        routes_follow(&r, c->m, c->x, h, e);
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < h->vertices && e->code == ERR_NONE; i++) {
            cert_vertex v = vertex[i];
            if (!routes_find(&r, v.vertex, &v.vertex) ||
                (v.choice != VERTEX_NONE && !routes_find(&r, v.choice, &v.choice)))
                err_set(e, ERR_REFUSED, "no such vertex");
            else if (pass) certify_check(k, v.vertex, v.choice, e);
            else certify_enter(k, v.vertex, v.rank, e);
        }
    if (e->code == ERR_NONE) certify_finish(k, g->root, e);
    routes_close(&r);
    certify_close(k);
    return (int)e->code;
}

static bool is_same(const written *a, const written *b)
{
    return a->h.states == b->h.states && a->h.vertices == b->h.vertices &&
           (a->h.states < 2 || memcmp(a->h.state, b->h.state,
                                      (a->h.states - 1) * sizeof *a->h.state) == 0) &&
           memcmp(a->vertex, b->vertex, a->h.vertices * sizeof *a->vertex) == 0;
}

/* ---- random cases ---------------------------------------------------------------------------- */

/* Two questions about one model: as the solver sees it, and as a checker does. */
typedef struct pair {
    mem m;
    lts g;
    wide_model first, second;
    mcl_question solved, checked;
    char text[1500];
} pair;

static bool pair_open(pair *q, uint64_t seed)
{
    mcl_random r = { seed << 32 };
    err e = ERR_INIT;
    enc_mcl_options wide = { .capacity = 0 }, narrow = { .capacity = 50 };
    *q = (pair){ .m = MEM_INIT };
    /* most formulas are decided near by: asked somewhere or everywhere, they are not */
    static const char *const before[] = { "(", "[ true* ] (", "< true* > (" };
    size_t head = strlen(before[seed % 3]);
    memcpy(q->text, before[seed % 3], head);
    mcl_case_formula(&r, q->text + head, sizeof q->text - head - 1);
    strcat(q->text, ")");
    mcl_case_lts(&r, &q->g, &q->m, 40);
    wide_model_open(&q->first, &q->g, 2);
    wide_model_open(&q->second, &q->g, 5);
    mcl_question_open_wide(&q->solved, &q->m, q->text, &q->first, &wide, &e);
    err other = ERR_INIT;
    mcl_question_open_wide(&q->checked, &q->m, q->text, &q->second, &narrow, &other);
    return e.code == ERR_NONE && other.code == ERR_NONE;
}

static void pair_close(pair *q)
{
    mcl_question_close(&q->solved);
    mcl_question_close(&q->checked);
    lts_close(&q->g);
    CU_ASSERT_EQUAL_FATAL(q->m.now, 0);
}

static const char *const solvers[] = { "auto", "a1", "a2", "a4", "hello" };
enum { SEEDS = 1500 };

static void proofs_hold_under_other_numbers(void)
{
    uint64_t proofs = 0, long_ways = 0;
    for (uint64_t seed = 1; seed <= SEEDS && CU_get_number_of_failures() < 5; seed++) {
        pair q;
        written w = { .vertex = NULL }, again;
        const char *solver = solvers[seed % COUNT_OF(solvers)];
        err e = ERR_INIT, wrong = ERR_INIT, other = ERR_INIT;
        if (pair_open(&q, seed) && write_down(&w, &q.solved, solver, &e) == 0) {
            proofs++;
            long_ways += w.h.states > 4;
            CU_ASSERT_EQUAL(w.h.verdict, mcl_question_meaning(&q.solved));
            if (check(&w.h, w.vertex, &q.checked, &wrong) != 0)
                printf("\nseed %" PRIu64 ", %s: %s: %s", seed, solver, wrong.text,
                       q.text);
            CU_ASSERT_EQUAL(wrong.code, ERR_NONE);
            CU_ASSERT_EQUAL(write_down(&again, &q.checked, solver, &other), 0);
            CU_ASSERT(
                is_same(&w, &again)); /* the checker had met states in another order */
            forget(&again);
        }
        forget(&w);
        pair_close(&q);
    }
    printf("%" PRIu64 " proofs, %" PRIu64 " of five states or more ... ", proofs,
           long_ways);
    CU_ASSERT(proofs > SEEDS / 2 && long_ways > SEEDS / 10);
}

/* ---- spoilt ones ------------------------------------------------------------------------------ */

typedef enum { PARENT, STEP, FEWER, FLIP, VERTEX, CHOICE, KINDS } spoil;

/* Change one thing at random; false when there is no such thing. */
static bool spoil_one(spoil kind, cert_header *h, cert_state *state, cert_vertex *vertex,
                      random_stream *r)
{
    size_t i = h->states > 1 ? (size_t)random_below(r, h->states - 1) : 0;
    cert_vertex *v = &vertex[random_below(r, h->vertices)];
    if ((kind == PARENT || kind == STEP || kind == FEWER) && h->states < 2) return false;
    if (kind == PARENT) state[i].parent = (uint32_t)random_below(r, i + 1);
    if (kind == STEP) state[i].step = (uint32_t)random_below(r, state[i].step + 3);
    if (kind == FEWER) h->states--;
    if (kind == VERTEX) v->vertex = (vertex_id)random_below(r, 3 * (v->vertex + 2));
    if (kind == CHOICE) v->choice = (vertex_id)random_below(r, 3 * (v->vertex + 2));
    return true;
}

/* Whatever is changed, a wrong verdict is never proved; most changes are noticed. */
static void nothing_wrong_is_proved(void)
{
    uint64_t tried[KINDS] = { 0 }, refused[KINDS] = { 0 };
    for (uint64_t seed = 1; seed <= SEEDS && CU_get_number_of_failures() < 5; seed++) {
        pair q;
        written w = { .vertex = NULL };
        err e = ERR_INIT;
        random_stream r = random_open(seed, 1);
        bool solved = pair_open(&q, seed) && write_down(&w, &q.solved, "auto", &e) == 0;
        for (int kind = 0; solved && kind < KINDS; kind++) {
            cert_state state[64];
            cert_vertex vertex[2000];
            cert_header h = w.h;
            err why = ERR_INIT;
            if (h.vertices > COUNT_OF(vertex) || h.states > COUNT_OF(state)) break;
            memcpy(vertex, w.vertex, h.vertices * sizeof *vertex);
            if (h.states > 1) memcpy(state, h.state, (h.states - 1) * sizeof *state);
            h.state = state;
            if (seed % 2 || kind == FLIP) h.verdict = !h.verdict;
            if (!spoil_one((spoil)kind, &h, state, vertex, &r)) continue;
            tried[kind]++;
            refused[kind] += check(&h, vertex, &q.checked, &why) == ERR_REFUSED;
            CU_ASSERT(why.code == ERR_REFUSED ||
                      (why.code == ERR_NONE && h.verdict == w.h.verdict));
        }
        forget(&w);
        pair_close(&q);
    }
    printf("refused");
    for (int kind = 0; kind < KINDS; kind++) {
        printf(" %" PRIu64 "/%" PRIu64, refused[kind], tried[kind]);
        CU_ASSERT(tried[kind] > 100 && refused[kind] > tried[kind] / 4);
    }
    CU_ASSERT_EQUAL(refused[FLIP], tried[FLIP]);
    printf(" ... ");
}

/* ---- on paper ---------------------------------------------------------------------------------- */

static void write_all(const written *w, const char *path, mem *m)
{
    cert_writer *out;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(cert_writer_open(&out, m, path, &w->h, &e), 0);
    for (uint64_t i = 0; i < w->h.vertices; i++) cert_writer_put(out, &w->vertex[i], &e);
    CU_ASSERT_EQUAL(cert_writer_commit(out, &e), 0);
    cert_writer_close(out);
}

static int read_all(const char *path, mem *m, const written *w, err *e)
{
    cert_reader *in;
    cert_vertex v;
    uint64_t i = 0;
    if (cert_reader_open(&in, m, path, e) != 0) return (int)e->code;
    const cert_header *h = cert_reader_header(in);
    CU_ASSERT(h->states == w->h.states && h->vertices == w->h.vertices);
    CU_ASSERT(h->argument_count == 2 && strcmp(h->arguments[1], "b \\c") == 0);
    CU_ASSERT(h->hidden_count == 1 && strcmp(h->hidden[0], "tau") == 0);
    CU_ASSERT(memcmp(h->state, w->h.state, (h->states - 1) * sizeof *h->state) == 0);
    for (; cert_reader_next(in, &v, e); i++)
        CU_ASSERT(memcmp(&v, &w->vertex[i], sizeof v) == 0);
    CU_ASSERT_EQUAL(i == w->h.vertices, e->code == ERR_NONE);
    cert_reader_close(in);
    return (int)e->code;
}

/* A way of four steps, of which each state has two. */
static void make(pair *q, written *w)
{
    static const sample_edge edges[] = { { 0, "a", 0 }, { 0, "b", 1 }, { 1, "a", 0 },
                                         { 1, "b", 2 }, { 2, "b", 3 }, { 2, "a", 0 },
                                         { 3, "a", 0 }, { 3, "b", 4 } };
    static const char *const arguments[] = { "1", "b \\c" }, *const hidden[] = { "tau" };
    err e = ERR_INIT;
    enc_mcl_options o = { .capacity = 0 };
    const char *formula = "< true* > [ true ] false";
    *q = (pair){ .m = MEM_INIT };
    q->g = sample_lts(&q->m, 5, 0, edges, COUNT_OF(edges));
    wide_model_open(&q->first, &q->g, 3);
    wide_model_open(&q->second, &q->g, 1);
    mcl_question_open_wide(&q->solved, &q->m, formula, &q->first, &o, &e);
    mcl_question_open_wide(&q->checked, &q->m, formula, &q->second, &o, &e);
    CU_ASSERT_EQUAL_FATAL(write_down(w, &q->solved, "auto", &e), 0);
    w->h.arguments = arguments, w->h.argument_count = 2;
    w->h.hidden = hidden, w->h.hidden_count = 1;
}

static void a_certificate_says_how_states_are_reached(void)
{
    static const char expected[] =
        "bespoke certificate 1\nproblem mcl\nmodel 0000000000000000 m\nhidden tau\n"
        "model-arg 1\nmodel-arg b \\134c\nproperty f\nverdict TRUE\nstates 5\n"
        "0 1\n1 1\n2 0\n3 1\nvertices 5\n";
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.cert");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    pair q;
    written w;
    make(&q, &w);
    write_all(&w, path, &m);
    char *text = scratch_read(path, NULL);
    CU_ASSERT(strncmp(text, expected, strlen(expected)) == 0);
    CU_ASSERT_EQUAL(read_all(path, &m, &w, &e), 0);
    CU_ASSERT_EQUAL(m.now, 0);
    size_t n = 0;
    for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
        mem few = { .fail_at = ++n };
        err why = ERR_INIT;
        rc = read_all(path, &few, &w, &why);
        CU_ASSERT_EQUAL_FATAL(few.now, 0);
        CU_ASSERT_EQUAL_FATAL(rc, few.calls < n ? 0 : ERR_LIMIT);
    }
    CU_ASSERT(n > 6);
    free(text);
    forget(&w);
    pair_close(&q);
    scratch_close(&s);
}

/* Lines of the certificate above that say what cannot be. */
static void lists_that_cannot_be_are_said_to_be_wrong(void)
{
    static const struct {
        const char *old, *new, *says;
    } rows[] = {
        { "states 5", "states 0", ":9:8: expected a number of states" },
        { "states 5", "states x", ":9:8: expected a number of states" },
        { "states 5", "states 4294967295", ":9:8: expected a number of states" },
        { "states 5", "states 6", ":14:1: expected a state before this one" },
        { "states 5", "states 4", ":13:1: expected vertices" },
        { "states 5\n", "", ":9:1: expected vertices" },
        { "\n0 1\n", "\n1 1\n", ":10:1: expected a state before this one" },
        { "\n2 0\n", "\n3 0\n", ":12:1: expected a state before this one" },
        { "\n2 0\n", "\n2\n", ":12:1: expected a state before this one" },
        { "\n2 0\n", "\n2 0 0\n", ":12:1: expected a state before this one" },
        { "\n2 0\n", "\n2 4294967296\n", ":12:1: expected a state before this one" },
        { "model-arg 1", "model-org 1", ":5:1: expected property" },
        { "\n2 0\n", "\n2 1\n", "the checksum is not that" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s = scratch_open();
        const char *path = scratch_path(&s, "x.cert");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        pair q;
        written w;
        cert_reader *in = NULL;
        cert_vertex v;
        make(&q, &w);
        write_all(&w, path, &m);
        char *text = scratch_read(path, NULL), *at = strstr(text, rows[i].old);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        char changed[1000];
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, rows[i].new,
                 at + strlen(rows[i].old));
        scratch_write(path, changed, strlen(changed));
        if (cert_reader_open(&in, &m, path, &e) == 0)
            while (cert_reader_next(in, &v, &e)) continue;
        cert_reader_close(in);
        if (!strstr(e.text, rows[i].says)) printf("\n%s: %s", rows[i].new, e.text);
        CU_ASSERT(e.code == ERR_INPUT && strstr(e.text, rows[i].says));
        CU_ASSERT_EQUAL(m.now, 0);
        free(text);
        forget(&w);
        pair_close(&q);
        scratch_close(&s);
    }
}

/* The same where the list is well-formed: the checker notices. */
static void ways_that_lead_elsewhere_are_refused(void)
{
    for (uint32_t i = 0; i < 4; i++)
        for (int kind = 0; kind < 4; kind++) {
            pair q;
            written w;
            err e = ERR_INIT;
            make(&q, &w);
            cert_state *state = &w.r.way.at[i];
            if (kind == 0) state->step ^= 1;
            if (kind == 1) state->step = 2;
            if (kind == 2) state->step = UINT32_MAX;
            if (kind == 3) state->parent = state->parent ? 0 : 4; /* no state before it */
            if (kind == 3 && state->parent == 4) state->parent = 0, state->step = 0;
            CU_ASSERT_EQUAL(check(&w.h, w.vertex, &q.checked, &e), ERR_REFUSED);
            bool nowhere = kind == 1 || kind == 2;
            CU_ASSERT_EQUAL(strstr(e.text, "is said to be reached") != NULL, nowhere);
            forget(&w);
            pair_close(&q);
        }
}

static void every_failing_allocation_leaves_nothing(void)
{
    pair q;
    written w;
    make(&q, &w);
    for (int follows = 0; follows < 2; follows++) {
        size_t n = 0;
        for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
            mem few = { .fail_at = ++n };
            err e = ERR_INIT;
            routes r = { .m = NULL };
            rc = follows ? routes_follow(&r, &few, q.solved.x, &w.h, &e)
                         : routes_of_proof(&r, &few, q.solved.x, &w.p, &e);
            routes_close(&r);
            CU_ASSERT_EQUAL_FATAL(few.now, 0);
            CU_ASSERT_EQUAL_FATAL(rc, few.calls < n ? 0 : ERR_LIMIT);
        }
        CU_ASSERT(n > 1);
    }
    forget(&w);
    pair_close(&q);
}

CU_TestInfo test_routes[] = {
    { "proofs hold under other numbers", proofs_hold_under_other_numbers },
    { "nothing wrong is proved", nothing_wrong_is_proved },
    { "a certificate says how states are reached",
      a_certificate_says_how_states_are_reached },
    { "lists that cannot be are said to be wrong",
      lists_that_cannot_be_are_said_to_be_wrong },
    { "ways that lead elsewhere are refused", ways_that_lead_elsewhere_are_refused },
    { "every failing allocation leaves nothing",
      every_failing_allocation_leaves_nothing },
    CU_TEST_INFO_NULL
};
