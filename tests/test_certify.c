/*
 * test_certify.c - proofs of every solver pass the checker; spoilt ones do not.
 *
 * Each mutant is chosen so that it proves nothing: the checker must refuse all of them.
 */
#include "algorithms/certify.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "core/ids.h"
#include "core/random.h"
#include "encodings/enc_bes.h"
#include "lang/bes_random.h"
#include "tests/nested_case.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 6000, NESTED = 20000, MOST = 40 };

/* A proof that can be spoilt. */
typedef struct claim {
    const graph *g;
    bool value;
    size_t count;
    proof_vertex at[MOST];
} claim;

static err_code certify_claim(const claim *c, mem *m)
{
    err e = ERR_INIT;
    certify *k;
    CU_ASSERT_EQUAL_FATAL(certify_open(&k, m, c->g, c->value, &e), 0);
    for (size_t i = 0; i < c->count && e.code == ERR_NONE; i++)
        certify_enter(k, c->at[i].vertex, c->at[i].rank, &e);
    for (size_t i = 0; i < c->count && e.code == ERR_NONE; i++)
        certify_check(k, c->at[i].vertex, c->at[i].choice, &e);
    if (e.code == ERR_NONE) certify_finish(k, c->g->root, &e);
    certify_close(k);
    return e.code;
}

/* The successors of v; how many. */
static uint32_t successors(const claim *c, vertex_id v, vertex_id to[MOST])
{
    graph_row row;
    graph_expand(c->g, v, GRAPH_ROW_BEGIN, to, MOST, &row);
    CU_ASSERT_EQUAL_FATAL(row.next, GRAPH_ROW_END);
    return row.count;
}

static bool is_successor(const claim *c, vertex_id v, vertex_id z)
{
    vertex_id to[MOST];
    for (uint32_t i = successors(c, v, to); i > 0; i--)
        if (to[i - 1] == z) return true;
    return false;
}

static const graph_block *block_of(const claim *c, vertex_id v)
{
    return &c->g->blocks[graph_block_of(c->g, v)];
}

static proof_rule rule_of(const claim *c, vertex_id v)
{
    return proof_rule_of(block_of(c, v), v, c->value);
}

static proof_vertex *find(claim *c, vertex_id v)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].vertex == v) return &c->at[i];
    return NULL;
}

/* ---- ways to spoil a claim; each says whether it found something to spoil ------------- */

static bool flip_value(claim *c, random_stream *r)
{
    (void)r;
    c->value = !c->value;
    return true;
}

/* Every vertex of a proof is needed: it was reached along kept edges. */
static bool drop_vertex(claim *c, random_stream *r)
{
    size_t i = (size_t)random_below(r, c->count);
    memmove(&c->at[i], &c->at[i + 1], (c->count - i - 1) * sizeof *c->at);
    c->count--;
    return true;
}

static bool double_vertex(claim *c, random_stream *r)
{
    if (c->count == MOST) return false;
    c->at[c->count] = c->at[random_below(r, c->count)];
    c->count++;
    return true;
}

static bool choose_stranger(claim *c, random_stream *r)
{
    proof_vertex *v = &c->at[random_below(r, c->count)];
    vertex_id z = (vertex_id)random_below(r, c->g->vertices);
    if (is_successor(c, v->vertex, z)) return false;
    v->choice = z;
    return true;
}

static bool forget_choice(claim *c, random_stream *r)
{
    proof_vertex *v = &c->at[random_below(r, c->count)];
    if (v->choice == VERTEX_NONE) return false;
    v->choice = VERTEX_NONE;
    return true;
}

/* Ranks are the least that fit: there is a kept successor that asks for this one. */
static bool lower_rank(claim *c, random_stream *r)
{
    proof_vertex *v = &c->at[random_below(r, c->count)];
    if (v->rank == 0 || rule_of(c, v->vertex) == PROOF_FREE) return false;
    v->rank--;
    return true;
}

/* A rank just too great for a vertex that keeps this one as successor. */
static bool raise_rank(claim *c, random_stream *r)
{
    vertex_id to[MOST];
    proof_vertex *y = &c->at[random_below(r, c->count)];
    uint32_t count = successors(c, y->vertex, to);
    proof_rule rule = rule_of(c, y->vertex);
    if (count == 0 || rule == PROOF_FREE) return false;
    vertex_id z = y->choice == VERTEX_NONE ? to[random_below(r, count)] : y->choice;
    if (z == y->vertex || z >= block_of(c, y->vertex)->end) return false;
    find(c, z)->rank = y->rank + (rule == PROOF_NOT_RISE);
    return true;
}

/* Does z lead to v along kept edges, within the inner vertices of its block? */
static bool leads_inside(claim *c, vertex_id z, vertex_id v)
{
    const graph_block *b = block_of(c, v);
    for (size_t steps = 0; steps <= c->count && z != v; steps++) {
        const proof_vertex *at = find(c, z);
        if (at == NULL || z >= b->end || graph_is_outer(b, z)) return false;
        vertex_id to[MOST], next = at->choice;
        if (next == VERTEX_NONE) /* all are kept: at most one is in the block */
            for (uint32_t i = successors(c, z, to); i > 0; i--)
                if (to[i - 1] < b->end) next = to[i - 1];
        z = next;
    }
    return z == v;
}

/* Where only going through outer vertices is good: go round without one.  No ranks fit. */
static bool close_inner_cycle(claim *c, random_stream *r)
{
    vertex_id to[MOST];
    proof_vertex *v = &c->at[random_below(r, c->count)];
    const graph_block *b = block_of(c, v->vertex);
    if (v->choice == VERTEX_NONE || graph_is_outer(b, v->vertex)) return false;
    if (rule_of(c, v->vertex) != PROOF_FALL) return false;
    for (uint32_t i = successors(c, v->vertex, to); i > 0; i--) {
        if (!leads_inside(c, to[i - 1], v->vertex)) continue;
        v->choice = to[i - 1];
        for (size_t k = 0; k < c->count; k++)
            c->at[k].rank = (uint32_t)random_below(r, 9);
        return true;
    }
    return false;
}

static bool invent_vertex(claim *c, random_stream *r)
{
    c->at[random_below(r, c->count)].vertex =
        c->g->vertices + (vertex_id)random_below(r, 9);
    return true;
}

static const struct {
    const char *name;
    bool (*spoil)(claim *c, random_stream *r);
    bool nested; /* needs a nested block */
} mutants[] = {
    { "flip the value", flip_value, false },
    { "drop a vertex", drop_vertex, false },
    { "a vertex twice", double_vertex, false },
    { "choose a stranger", choose_stranger, false },
    { "forget a choice", forget_choice, false },
    { "a rank too low", lower_rank, false },
    { "a rank too high", raise_rank, false },
    { "a cycle of inner vertices", close_inner_cycle, true },
    { "a vertex out of range", invent_vertex, false },
};

/* -------------------------------------------------------------------------------------- */

static void try_mutants(const claim *whole, uint64_t *tried, uint64_t seed, mem *m)
{
    random_stream r = random_open(seed, 1);
    for (size_t i = 0; i < COUNT_OF(mutants); i++) {
        claim c = *whole;
        if (!mutants[i].spoil(&c, &r)) continue;
        tried[i]++;
        err_code code = certify_claim(&c, m);
        if (code != ERR_REFUSED)
            printf("\nseed %" PRIu64 ": accepted although spoilt: %s", seed,
                   mutants[i].name);
        CU_ASSERT_EQUAL(code, ERR_REFUSED);
    }
}

static void try_solver(const graph *g, const char *name, uint64_t seed, uint64_t *tried,
                       mem *m)
{
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = name, .choices = true, .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value;
    if (resolution_open(&r, m, g, &o, &e) != 0) return; /* it does not accept the shape */
    CU_ASSERT_EQUAL_FATAL(resolution_solve(r, g->root, &value, &e), 0);
    proof p;
    CU_ASSERT_EQUAL_FATAL(proof_open(&p, m, g, resolution_solution(r), g->root, &e), 0);
    claim c = { .g = g, .value = value, .count = p.vertices.count };
    memcpy(c.at, p.vertices.at, c.count * sizeof *c.at);
    if (certify_claim(&c, m) != ERR_NONE)
        printf("\nseed %" PRIu64 ": the proof of %s is refused", seed, name);
    CU_ASSERT_EQUAL(certify_claim(&c, m), ERR_NONE);
    try_mutants(&c, tried, seed, m);
    proof_close(&p);
    resolution_close(r);
}

static void proofs_hold_and_spoilt_ones_do_not(void)
{
    static const char *const names[] = {
        "auto", "a1", "a2", "a3", "a4", "a4-bfs", "hello"
    };
    uint64_t tried[COUNT_OF(mutants)] = { 0 };
    mem m = MEM_INIT;
    for (uint64_t seed = 0; seed < SYSTEMS && CU_get_number_of_failures() < 5; seed++) {
        bes_random_options o = { .variables = 1 + (vertex_id)(seed % (MOST - 1)),
                                 .degree = 1.5,
                                 .and_share = (double)(seed % 5) / 4,
                                 .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                                 .seed = seed };
        o.blocks = 1 + (uint32_t)(seed % 4 < o.variables ? seed % 4 : 0);
        bes b;
        enc_bes *x;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL_FATAL(bes_random(&b, &m, &o, &e), 0);
        CU_ASSERT_EQUAL_FATAL(enc_bes_open(&x, &b, &(enc_bes_options){ .root = 0 }, &e),
                              0);
        for (size_t i = 0; i < COUNT_OF(names); i++)
            try_solver(enc_bes_graph(x), names[i], seed, tried, &m);
        enc_bes_close(x);
        bes_close(&b);
    }
    for (size_t i = 0; i < COUNT_OF(mutants); i++)
        CU_ASSERT(mutants[i].nested || tried[i] > SYSTEMS / 10);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void so_it_is_with_nested_blocks(void)
{
    uint64_t tried[COUNT_OF(mutants)] = { 0 };
    mem m = MEM_INIT;
    for (uint64_t seed = 0; seed < NESTED && CU_get_number_of_failures() < 5; seed++) {
        nested_case c;
        nested_case_make(&c, seed, NESTED_VERTICES);
        try_solver(&c.base, "auto", seed, tried, &m);
    }
    for (size_t i = 0; i < COUNT_OF(mutants); i++) CU_ASSERT(tried[i] > NESTED / 50);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* ---- claims out of the blue --------------------------------------------------------------- */

/* Any choices, any ranks: sometimes it is a proof, by chance. */
static void invent(claim *c, random_stream *r)
{
    c->value = random_below(r, 2);
    c->count = 0;
    for (vertex_id v = 0; v < c->g->vertices; v++) {
        vertex_id to[MOST];
        graph_row row;
        graph_expand(c->g, v, GRAPH_ROW_BEGIN, to, MOST, &row);
        proof_vertex fresh = { v, VERTEX_NONE, (uint32_t)random_below(r, 4) };
        if (graph_absorbing(row.op) == c->value && row.count > 0)
            fresh.choice = to[random_below(r, row.count)];
        if (random_below(r, 4) > 0) c->at[c->count++] = fresh;
    }
}

static void what_is_accepted_is_right(void)
{
    enum { INVENTED = 20, SMALL = 5 };
    uint64_t accepted[2] = { 0 };
    mem m = MEM_INIT;
    for (uint64_t seed = 0; seed < NESTED && CU_get_number_of_failures() < 5; seed++) {
        nested_case c;
        random_stream r = random_open(seed, 1);
        nested_case_make(&c, seed, SMALL);
        nested_case_solve(&c);
        for (int i = 0; i < INVENTED; i++) {
            claim k = { .g = &c.base };
            invent(&k, &r);
            if (certify_claim(&k, &m) != ERR_NONE) continue;
            accepted[k.value]++;
            if (k.value != c.right[c.base.root])
                printf("\nseed %" PRIu64 ": what is accepted is wrong", seed);
            CU_ASSERT_EQUAL(k.value, c.right[c.base.root]);
        }
    }
    CU_ASSERT(accepted[0] > NESTED && accepted[1] > NESTED);
}

CU_TestInfo test_certify[] = {
    { "proofs hold and spoilt ones do not", proofs_hold_and_spoilt_ones_do_not },
    { "so it is with nested blocks", so_it_is_with_nested_blocks },
    { "what is accepted is right", what_is_accepted_is_right },
    CU_TEST_INFO_NULL,
};
