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

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYSTEMS = 6000, MOST = 40 };

/* A proof that can be spoilt. */
typedef struct claim {
    const bes *b;
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

static bool is_operand(const bes *b, vertex_id v, vertex_id z)
{
    for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++)
        if (b->operand[i] == z) return true;
    return false;
}

static bool needs_rank(const claim *c, vertex_id v)
{
    return proof_rule_of(&c->g->blocks[graph_block_of(c->g, v)], v, c->value) !=
           PROOF_FREE;
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
    if (is_operand(c->b, v->vertex, z)) return false;
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

/* A rank no greater than that of a kept successor in the same block. */
static bool level_rank(claim *c, random_stream *r)
{
    proof_vertex *v = &c->at[random_below(r, c->count)];
    if (v->rank == 0 || !needs_rank(c, v->vertex)) return false;
    v->rank--; /* one less than one more than the greatest */
    return true;
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
} mutants[] = {
    { "flip the value", flip_value },
    { "drop a vertex", drop_vertex },
    { "a vertex twice", double_vertex },
    { "choose a stranger", choose_stranger },
    { "forget a choice", forget_choice },
    { "a rank that does not fall", level_rank },
    { "a vertex out of range", invent_vertex },
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

static void try_solver(const bes *b, const graph *g, const char *name, uint64_t seed,
                       uint64_t *tried, mem *m)
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
    claim c = { .b = b, .g = g, .value = value, .count = p.vertices.count };
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
            try_solver(&b, enc_bes_graph(x), names[i], seed, tried, &m);
        enc_bes_close(x);
        bes_close(&b);
    }
    for (size_t i = 0; i < COUNT_OF(mutants); i++) CU_ASSERT(tried[i] > SYSTEMS / 10);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_certify[] = {
    { "proofs hold and spoilt ones do not", proofs_hold_and_spoilt_ones_do_not },
    CU_TEST_INFO_NULL,
};
