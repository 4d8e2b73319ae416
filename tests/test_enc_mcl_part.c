/*
 * test_enc_mcl_part.c - a formula over a model in parts is the same graph.
 */
#include "core/crew.h"
#include "core/random.h"
#include "encodings/enc_mcl_part.h"
#include "tests/mcl_case.h"
#include "tests/mcl_parts.h"
#include "tests/part_walk.h"
#include "tests/placed_lts.h"
#include "tests/sample_lts.h"
#include "tests/wide_model.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape {
    worker_id ranks, threads;
} shape;

static const shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 3, 1 },
                                { 5, 1 }, { 2, 2 }, { 1, 5 }, { 2, 3 } };

/* ---- a question ---------------------------------------------------------------------------- */

typedef struct question {
    mem m; /* of formula, encodings and spaces */
    mcl *f;
    mcl_equations *q;
} question;

/* False: no such formula can be asked. */
static bool open_question(question *c, const char *text)
{
    err e = ERR_INIT;
    *c = (question){ .m = MEM_INIT };
    return mcl_parse(&c->f, &c->m, text, NULL, &e) == 0 &&
           mcl_equations_of(&c->q, &c->m, c->f, &e) == 0;
}

static void close_question(question *c)
{
    mcl_equations_close(c->q);
    mcl_close(c->f);
    CU_ASSERT_EQUAL_FATAL(c->m.now, 0);
}

/* ---- the same graph ------------------------------------------------------------------------- */

static void check_head(const mcl_parts *w, const graph *whole)
{
    for (worker_id i = 0; i < w->workers; i++) {
        const graph_part *p = w->parts[i];
        CU_ASSERT(p->self == i && p->workers == w->workers);
        CU_ASSERT(p->share == w->parts[0]->share && p->share == p->g->vertices);
        CU_ASSERT(p->root_owner == w->parts[0]->root_owner && p->root_owner < p->workers);
        CU_ASSERT_EQUAL_FATAL(p->g->block_count, whole->block_count);
        for (uint32_t b = 0; b < whole->block_count; b++) {
            CU_ASSERT_EQUAL(p->g->blocks[b].promise, whole->blocks[b].promise);
            CU_ASSERT_EQUAL(p->g->blocks[b].sign, whole->blocks[b].sign);
            CU_ASSERT_EQUAL(graph_is_nested(&p->g->blocks[b]),
                            graph_is_nested(&whole->blocks[b]));
        }
    }
}

/* How many messages it took. */
static uint64_t compare(const mcl_parts *w, const graph *whole, uint64_t seed)
{
    check_head(w, whole);
    part_walk in_parts = part_walk_open(w->parts, w->workers, seed);
    part_walk at_once = part_walk_open_whole(whole, seed);
    bool same = part_walk_equal(&in_parts, &at_once);
    if (!same)
        printf("seed %" PRIu64 ", %u x %u: %s\n", seed, w->ranks, w->threads,
               in_parts.trouble.text);
    CU_ASSERT_FATAL(same && in_parts.count > 0);
    uint64_t letters = in_parts.letters;
    part_walk_close(&in_parts);
    part_walk_close(&at_once);
    return letters;
}

/* ---- rows of ranks ------------------------------------------------------------------------- */

static uint64_t compare_numbered(question *c, const lts *g, shape s, uint64_t seed)
{
    placed_lts p = placed_lts_of(g, s.ranks, seed);
    model rows = wide_model_explicit(&p.whole);
    enc_mcl_part_options o = { .ranks = s.ranks,
                               .threads = s.threads,
                               .acyclic = seed % 2,
                               .initial = p.whole.initial,
                               .unit = 1 + (state_id)(seed % 4) };
    enc_mcl *whole;
    mcl_parts w;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(
        enc_mcl_open(&whole, c->q, &rows, &(enc_mcl_options){ .acyclic = o.acyclic }, &e),
        0);
    CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c->q, &o, p.rank, &e), 0);
    uint64_t letters = compare(&w, enc_mcl_graph(whole), seed);
    mcl_parts_close(&w);
    enc_mcl_close(whole);
    CU_ASSERT(placed_lts_close(&p));
    return letters;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static uint64_t compare_keyed(question *c, const lts *g, shape s, uint64_t seed)
{
    wide_model m;
    wide_model_open(&m, g, 1 + (uint32_t)(seed % WIDE_MODEL_WORDS));
    m.doubles = seed % 2;
    m.base.m = &c->m;
    enc_mcl_part_options o = { .ranks = s.ranks, .threads = s.threads, .model = &m.base };
    enc_mcl *whole;
    mcl_parts w;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(
        enc_mcl_open(&whole, c->q, &m.base, &(enc_mcl_options){ .capacity = 4000 }, &e),
        0);
    CU_ASSERT_EQUAL_FATAL(
        enc_mcl_part_capacity(&o.capacity, c->q, &m.base, s.threads, 4000, &e), 0);
    CU_ASSERT_EQUAL(o.capacity, 4000);
    CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c->q, &o, NULL, &e), 0);
    uint64_t letters = compare(&w, enc_mcl_graph(whole), seed);
    mcl_parts_close(&w);
    enc_mcl_close(whole);
    CU_ASSERT_EQUAL(m.open_contexts, 0);
    return letters;
}

/* ---- random cases -------------------------------------------------------------------------- */

typedef uint64_t comparison(question *c, const lts *g, shape s, uint64_t seed);

/* Random formulas know their answer soon; these go round. */
static const char *const far_ones[] = {
    "[ true* ] < true > true",
    "< true* > < \"i\" > @",
    "[ true* . \"a\" ] mu X . (< true > true and [ not \"b\" ] X)",
    "nu X . ([ true ] X and mu Y . (< \"a\" > true or < true > Y))",
    "mu X . ([ true ] X or < \"a\" . true* . \"b\" > true)",
    "nu X . ((< \"a\" > true or [ \"b\" ] X) and [ true* ] < not \"i\" > true)",
};

static void choose_formula(mcl_random *r, char *text, size_t bytes, uint64_t seed)
{
    if (seed % 2) mcl_case_formula(r, text, bytes);
    else snprintf(text, bytes, "%s", far_ones[seed / 2 % COUNT_OF(far_ones)]);
}

static void compare_at_random(comparison *with, uint64_t cases, uint64_t *letters)
{
    for (uint64_t seed = 1; seed <= cases; seed++) {
        mem m = MEM_INIT;
        mcl_random r = { seed << 32 };
        char text[1500];
        lts g;
        question c;
        choose_formula(&r, text, sizeof text, seed);
        mcl_case_lts(&r, &g, &m, 1 + (state_id)(seed % 60));
        if (open_question(&c, text))
            *letters += with(&c, &g, shapes[seed % COUNT_OF(shapes)], seed);
        close_question(&c);
        lts_close(&g);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
}

static void numbered_parts_are_the_same_graph(void)
{
    uint64_t letters = 0;
    compare_at_random(compare_numbered, 2000, &letters);
    printf("%" PRIu64 " messages ... ", letters);
    CU_ASSERT(letters > 10000);
}

static void keyed_parts_are_the_same_graph(void)
{
    uint64_t letters = 0;
    compare_at_random(compare_keyed, 2000, &letters);
    printf("%" PRIu64 " messages ... ", letters);
    CU_ASSERT(letters > 10000);
}

/* More states than rows are kept, and rows too long to be. */
static void large_models_are_the_same_graph(void)
{
    static const struct {
        state_id states;
        uint64_t transitions;
        label_id labels;
    } models[] = { { 3500, 9000, 3 }, { 4, 12000, 2000 } };
    for (size_t i = 0; i < COUNT_OF(models); i++)
        for (uint64_t seed = 7; seed < 9; seed++) {
            mem m = MEM_INIT;
            question c;
            lts g = sample_lts_random(&m, models[i].states, models[i].transitions,
                                      models[i].labels, seed);
            CU_ASSERT_FATAL(open_question(&c, "[ true* ] < true > true"));
            CU_ASSERT(compare_keyed(&c, &g, (shape){ 3, 1 }, seed) > 20);
            CU_ASSERT(compare_numbered(&c, &g, (shape){ 2, 2 }, seed) > 20);
            close_question(&c);
            lts_close(&g);
        }
}

/* ---- threads ------------------------------------------------------------------------------- */

typedef struct crew_work {
    mcl_parts *w;
    uint64_t edges[MCL_PARTS_WORKERS];
} crew_work;

/* All rows of a thread's vertices. */
static void expand_own(void *self, uint32_t member)
{
    crew_work *work = self;
    const graph_part *p = work->w->parts[member];
    for (vertex_id v = 0; v < p->share; v++) {
        if (graph_part_owner(p, graph_part_link(p, v)) != member) continue;
        graph_row row = { .next = GRAPH_ROW_BEGIN };
        vertex_id to[16];
        graph_fetch(p->g, v, 0);
        graph_fetch(p->g, v, 1);
        do {
            graph_expand(p->g, v, row.next, to, COUNT_OF(to), &row);
            work->edges[member] += row.count;
        } while (row.next != GRAPH_ROW_END);
    }
}

static void lead(crew *c, void *self)
{
    (void)self;
    crew_do(c, expand_own);
}

static uint64_t edges_with(question *c, lts *g, worker_id threads)
{
    enc_mcl_part_options o = {
        .ranks = 1, .threads = threads, .initial = g->initial, .unit = 3
    };
    mcl_parts w;
    crew_work work = { .w = &w };
    err e = ERR_INIT;
    uint64_t sum = 0;
    CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c->q, &o, g, &e), 0);
    crew_run(threads, threads, lead, &work);
    mcl_parts_close(&w);
    for (worker_id i = 0; i < threads; i++) sum += work.edges[i];
    return sum;
}

static void threads_may_ask_for_rows_at_once(void)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 2000, 9000, 3, 1);
    question c;
    CU_ASSERT_FATAL(open_question(&c, "[ true* ] mu X . (< true > true and [ true ] X)"));
    uint64_t edges = edges_with(&c, &g, 1);
    CU_ASSERT(edges > 9000);
    for (worker_id threads = 2; threads <= 4; threads++)
        CU_ASSERT_EQUAL(edges_with(&c, &g, threads), edges);
    close_question(&c);
    lts_close(&g);
}

/* ---- names ---------------------------------------------------------------------------------- */

static state_id twice(const void *places, state_id place)
{
    return place * *(const state_id *)places;
}

static void states_are_named_by_their_numbers(void)
{
    static const sample_edge edges[] = { { 0, "a", 1 }, { 1, "a", 2 }, { 2, "b", 0 } };
    static const state_id two = 2;
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 3, 0, edges, COUNT_OF(edges));
    placed_lts p = placed_lts_of(&g, 2, 0);
    question c;
    CU_ASSERT_FATAL(open_question(&c, "nu X . (< true > true and [ true ] X)"));
    for (int named = 0; named < 2; named++) {
        enc_mcl_part_options o = { .ranks = 2, .threads = 1, .initial = 1, .unit = 1 };
        mcl_parts w;
        err e = ERR_INIT;
        char name[40];
        if (named) o.number = (enc_mcl_numbering){ twice, &two };
        CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c.q, &o, p.rank, &e), 0);
        const graph *g1 = w.parts[1]->g;
        g1->class->name_of(g1, 1, name, sizeof name); /* there are two places per rank */
        CU_ASSERT_STRING_EQUAL(name, named ? "X at state 6" : "X at state 3");
        mcl_parts_close(&w);
    }
    CU_ASSERT(placed_lts_close(&p));
    close_question(&c);
    lts_close(&g);
}

/* ---- what can go wrong --------------------------------------------------------------------- */

/* Both kinds of parts, walked: 0 or the code of what went wrong. */
static int live(mem *own, const lts *g, const char *text, bool by_key)
{
    err e = ERR_INIT;
    mcl *f = NULL;
    mcl_equations *q = NULL;
    placed_lts p = placed_lts_of(g, 2, 3);
    wide_model m;
    mcl_parts w = { .workers = 0 };
    wide_model_open(&m, g, 3);
    m.base.m = own;
    enc_mcl_part_options o = { .ranks = 2, .threads = 2, .capacity = 500, .unit = 2 };
    o.initial = p.whole.initial;
    o.model = by_key ? &m.base : NULL;
    if (mcl_parse(&f, own, text, NULL, &e) == 0 &&
        mcl_equations_of(&q, own, f, &e) == 0 &&
        mcl_parts_open(&w, q, &o, by_key ? NULL : p.rank, &e) == 0) {
        part_walk walk = part_walk_open(w.parts, w.workers, 1);
        if (walk.trouble.code != ERR_NONE) e.code = walk.trouble.code;
        else CU_ASSERT(walk.count > 20);
        part_walk_close(&walk);
    }
    mcl_parts_close(&w);
    mcl_equations_close(q);
    mcl_close(f);
    CU_ASSERT(placed_lts_close(&p));
    CU_ASSERT_EQUAL(m.open_contexts, 0);
    return (int)e.code;
}

static void every_failing_allocation_is_a_limit_and_leaves_nothing(void)
{
    mem other = MEM_INIT;
    lts g = sample_lts_random(&other, 120, 300, 3, 7);
    for (int by_key = 0; by_key < 2; by_key++) {
        size_t at = 0, failed = 0;
        for (bool more = true; more;) {
            mem m = MEM_INIT;
            m.fail_at = ++at;
            int code = live(&m, &g, "[ true* ] < \"L1\"* > < true > true", by_key);
            more = m.calls >= m.fail_at;
            CU_ASSERT_FATAL(code == 0 || (code == ERR_LIMIT && more));
            CU_ASSERT_EQUAL_FATAL(m.now, 0);
            failed += code != 0;
        }
        /* only a row that is fetched may fail quietly: it is computed again */
        CU_ASSERT(failed > 20 && (by_key ? failed > at / 2 : failed == at - 1));
    }
    lts_close(&g);
    CU_ASSERT_EQUAL(other.now, 0);
}

/* A chain through five workers, one of which has room for fewer states than it would meet. */
static void more_states_than_the_capacity_are_a_limit(void)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 400, 2000, 2, 3);
    for (state_id capacity = 20; capacity <= 320; capacity *= 4) {
        question c;
        wide_model s;
        mcl_parts w;
        err e = ERR_INIT;
        CU_ASSERT_FATAL(open_question(&c, "[ true* ] < true > true"));
        wide_model_open(&s, &g, 2);
        s.base.m = &c.m;
        enc_mcl_part_options o = {
            .ranks = 3, .threads = 1, .model = &s.base, .capacity = capacity
        };
        CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c.q, &o, NULL, &e), 0);
        part_walk walk = part_walk_open(w.parts, w.workers, 1);
        CU_ASSERT_EQUAL(walk.trouble.code, capacity < 320 ? ERR_LIMIT : ERR_NONE);
        if (capacity < 320) CU_ASSERT(strstr(walk.trouble.text, "more than") != NULL);
        part_walk_close(&walk);
        mcl_parts_close(&w);
        close_question(&c);
    }
    lts_close(&g);
}

static void damaged_messages_are_refused(void)
{
    static const sample_edge edges[] = { { 0, "a", 1 }, { 1, "a", 2 }, { 2, "b", 0 } };
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 3, 0, edges, COUNT_OF(edges));
    question c;
    wide_model s;
    mcl_parts w;
    err e = ERR_INIT;
    CU_ASSERT_FATAL(open_question(&c, "[ true* ] < true > true"));
    wide_model_open(&s, &g, 2);
    s.base.m = &c.m;
    enc_mcl_part_options o = {
        .ranks = 2, .threads = 1, .model = &s.base, .capacity = 10
    };
    CU_ASSERT_EQUAL_FATAL(mcl_parts_open(&w, c.q, &o, NULL, &e), 0);
    graph_part *to = w.parts[w.parts[0]->root_owner], *not_to = w.parts[1 - to->self];
    uint32_t wire[3] = { 0, s.initial[0], s.initial[1] };
    vertex_id local;
    CU_ASSERT_EQUAL(to->wire_words, 3);
    CU_ASSERT_EQUAL(to->class->unpack(to, wire, sizeof wire, 1, &local, &e), 0);
    CU_ASSERT_EQUAL(local, to->g->root);
    CU_ASSERT_EQUAL(not_to->class->unpack(not_to, wire, sizeof wire, 1, &local, &e),
                    ERR_SYSTEM);
    CU_ASSERT(strstr(e.text, "a state of worker") != NULL);
    err again = ERR_INIT;
    wire[0] = enc_mcl_positions(enc_mcl_part_encoding(w.rank[0], 0));
    CU_ASSERT_EQUAL(to->class->unpack(to, wire, sizeof wire, 1, &local, &again),
                    ERR_SYSTEM);
    CU_ASSERT(strstr(again.text, "names a position") != NULL);
    mcl_parts_close(&w);
    close_question(&c);
    lts_close(&g);
}

static void more_vertices_than_numbers_are_refused(void)
{
    static const sample_edge edges[] = { { 0, "a", 0 } };
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 100000, 0, edges, COUNT_OF(edges));
    question c;
    wide_model s;
    enc_mcl_parts *x = NULL;
    CU_ASSERT_FATAL(open_question(&c, "[ true* ] < true > true"));
    wide_model_open(&s, &g, 2);
    s.base.m = &c.m;
    enc_mcl_part_options rows = { .ranks = 50000, .threads = 1, .rows = &g, .unit = 1 };
    enc_mcl_part_options keys = {
        .ranks = 2, .threads = 1, .model = &s.base, .capacity = STATES_MAX
    };
    err e = ERR_INIT, again = ERR_INIT;
    CU_ASSERT_EQUAL(enc_mcl_part_open(&x, c.q, &rows, &e), ERR_LIMIT);
    CU_ASSERT(strstr(e.text, "at 5000000000 states") != NULL);
    CU_ASSERT_EQUAL(enc_mcl_part_open(&x, c.q, &keys, &again), ERR_LIMIT);
    CU_ASSERT(strstr(again.text, "states of a worker") != NULL);
    close_question(&c);
    lts_close(&g);
}

/* ---- capacity ------------------------------------------------------------------------------ */

static void capacity_follows_the_limit_and_the_threads(void)
{
    static const struct {
        size_t limit;
        worker_id threads;
        state_id wanted, least, most;
    } rows[] = {
        { 0, 1, 0, 1 << 20, INT32_MAX },      { 0, 8, 1000, 1000, 1000 },
        { 14000000, 1, 0, 1000000, 1000000 }, { 14000000, 4, 0, 250000, 350000 },
        { 14000000, 4, 2000, 2000, 2000 },    { 14000, 8, 0, 1000, 1000 },
    };
    static const sample_edge edges[] = { { 0, "a", 0 } };
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 1, 0, edges, COUNT_OF(edges));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        question c;
        wide_model s;
        err e = ERR_INIT;
        mem own = { .limit = rows[i].limit };
        state_id capacity = 0;
        CU_ASSERT_FATAL(open_question(&c, "[ true* ] < true > true"));
        wide_model_open(&s, &g, 2); /* 8 bytes, and 6 of the table */
        s.base.m = &own;
        CU_ASSERT_EQUAL(enc_mcl_part_capacity(&capacity, c.q, &s.base, rows[i].threads,
                                              rows[i].wanted, &e),
                        0);
        CU_ASSERT(capacity >= rows[i].least && capacity <= rows[i].most);
        close_question(&c);
    }
    lts_close(&g);
}

CU_TestInfo test_enc_mcl_part[] = {
    { "numbered parts are the same graph", numbered_parts_are_the_same_graph },
    { "keyed parts are the same graph", keyed_parts_are_the_same_graph },
    { "large models are the same graph", large_models_are_the_same_graph },
    { "threads may ask for rows at once", threads_may_ask_for_rows_at_once },
    { "states are named by their numbers", states_are_named_by_their_numbers },
    { "every failing allocation is a limit and leaves nothing",
      every_failing_allocation_is_a_limit_and_leaves_nothing },
    { "more states than the capacity are a limit",
      more_states_than_the_capacity_are_a_limit },
    { "damaged messages are refused", damaged_messages_are_refused },
    { "more vertices than numbers are refused", more_vertices_than_numbers_are_refused },
    { "capacity follows the limit and the threads",
      capacity_follows_the_limit_and_the_threads },
    CU_TEST_INFO_NULL,
};
