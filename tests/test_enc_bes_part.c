/*
 * test_enc_bes_part.c - an equation system in parts is the same graph.
 */
#include "core/ids.h"
#include "core/random.h"
#include "encodings/enc_bes_part.h"
#include "lang/bes_random.h"
#include "tests/part_walk.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_MAX = 8 };

static const worker_id worker_counts[] = { 1, 2, 3, 5, 8 };

/* ---- owners -------------------------------------------------------------------------------- */

typedef enum { BY_HASH, AT_RANDOM, IN_RANGES, ALL_ON_LAST, OWNERS_COUNT } owners;

static worker_id choose(owners kind, random_stream *r, const bes *b, vertex_id v,
                        worker_id workers)
{
    if (kind == ALL_ON_LAST) return workers - 1;
    if (kind == IN_RANGES) return (worker_id)((uint64_t)v * workers / b->vertices);
    return (worker_id)random_below(r, workers);
}

/* NULL: the encoding chooses. */
static worker_id *choose_owners(owners kind, const bes *b, worker_id workers,
                                uint64_t seed)
{
    random_stream r = random_open(seed, 3);
    worker_id *owner = kind == BY_HASH ? NULL : calloc(b->vertices, sizeof *owner);
    for (vertex_id v = 0; owner && v < b->vertices; v++)
        owner[v] = choose(kind, &r, b, v, workers);
    return owner;
}

/* ---- the same graph ------------------------------------------------------------------------ */

static bes random_system(mem *m, uint64_t seed)
{
    bes_random_options o = { .variables = 1 + (vertex_id)(seed * 7 % 90),
                             .blocks = 1 + (uint32_t)(seed % 4),
                             .degree = 0.7 + (double)(seed % 7) / 2,
                             .and_share = 0.5,
                             .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                             .seed = seed };
    bes b;
    err e = ERR_INIT;
    if (o.blocks > o.variables) o.blocks = o.variables;
    CU_ASSERT_EQUAL_FATAL(bes_random(&b, m, &o, &e), 0);
    return b;
}

/* Every vertex of a block has one link, which leads back to it. */
static void check_links(enc_bes_parts *x, const bes *b, const graph *whole,
                        const worker_id *owner)
{
    const graph_part *p = enc_bes_part_of(x, 0);
    size_t used = 0, links = 0;
    for (vertex_link i = 0; i < p->share * p->workers; i++)
        used += enc_bes_part_vertex(x, i) != VERTEX_NONE;
    for (vertex_id v = 0; v < b->vertices; v++) {
        const graph_block *k = &whole->blocks[graph_block_of(whole, v)];
        vertex_link to = enc_bes_part_link(x, v);
        CU_ASSERT_EQUAL_FATAL(to != VERTEX_NONE, v >= k->begin && v < k->end);
        if (to == VERTEX_NONE) continue;
        links++;
        CU_ASSERT_EQUAL(enc_bes_part_vertex(x, to), v);
        CU_ASSERT(owner == NULL || graph_part_owner(p, to) == owner[v]);
        CU_ASSERT_EQUAL(graph_block_of(p->g, to % p->share), graph_block_of(whole, v));
    }
    CU_ASSERT_EQUAL(used, links);
}

static void check_blocks(const graph *g, const graph *whole)
{
    vertex_id at = 0;
    CU_ASSERT_EQUAL_FATAL(g->block_count, whole->block_count);
    for (uint32_t k = 0; k < g->block_count; k++) {
        CU_ASSERT(g->blocks[k].begin == at && g->blocks[k].end > at);
        CU_ASSERT_EQUAL(g->blocks[k].promise, whole->blocks[k].promise);
        CU_ASSERT_EQUAL(g->blocks[k].sign, whole->blocks[k].sign);
        at = g->blocks[k].end;
    }
    CU_ASSERT_EQUAL(g->vertices, at);
}

static uint64_t check_parts(enc_bes_parts *x, const bes *b, const graph *whole,
                            const worker_id *owner, uint64_t seed)
{
    graph_part *parts[WORKERS_MAX];
    worker_id workers = enc_bes_part_of(x, 0)->workers;
    for (worker_id w = 0; w < workers; w++) {
        parts[w] = enc_bes_part_of(x, w);
        CU_ASSERT(parts[w]->self == w && parts[w]->g->vertices == parts[w]->share);
        check_blocks(parts[w]->g, whole);
    }
    check_links(x, b, whole, owner);
    part_walk in_parts = part_walk_open(parts, workers, seed);
    part_walk at_once = part_walk_open_whole(whole, seed);
    bool same = part_walk_equal(&in_parts, &at_once);
    if (!same) printf("seed %" PRIu64 "\n", seed);
    CU_ASSERT_FATAL(same);
    uint64_t letters = in_parts.letters;
    part_walk_close(&in_parts);
    part_walk_close(&at_once);
    return letters;
}

static uint64_t compare(const bes *b, worker_id workers, owners kind, uint64_t seed)
{
    enc_bes_options question = { .root = (vertex_id)(seed % b->vertices),
                                 .any_vertex = seed % 3 == 0 };
    worker_id *owner = choose_owners(kind, b, workers, seed);
    enc_bes_part_options o = { question, workers, owner };
    enc_bes_parts *x = NULL;
    enc_bes *whole = NULL;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&whole, b, &question, &e), 0);
    CU_ASSERT_EQUAL_FATAL(enc_bes_part_open(&x, b, &o, &e), 0);
    uint64_t letters = check_parts(x, b, enc_bes_graph(whole), owner, seed);
    enc_bes_part_close(x);
    enc_bes_close(whole);
    free(owner);
    return letters;
}

static void parts_are_the_same_graph(void)
{
    uint64_t letters = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        mem m = MEM_INIT;
        bes b = random_system(&m, seed);
        worker_id workers = worker_counts[seed % COUNT_OF(worker_counts)];
        for (owners kind = BY_HASH; kind < OWNERS_COUNT; kind++)
            letters += compare(&b, workers, kind, seed);
        bes_close(&b);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    CU_ASSERT(letters > 10000);
}

/* A worker has little more than its share of what a hash deals out. */
static void a_hash_deals_out_evenly(void)
{
    enum { VERTICES = 20000, WORKERS = 7 };
    mem m = MEM_INIT;
    bes b;
    enc_bes_parts *x;
    err e = ERR_INIT;
    bes_random_options o = { .variables = VERTICES, .blocks = 2, .degree = 2, .seed = 1 };
    CU_ASSERT_EQUAL_FATAL(bes_random(&b, &m, &o, &e), 0);
    enc_bes_part_options how = { { .any_vertex = true }, WORKERS, NULL };
    CU_ASSERT_EQUAL_FATAL(enc_bes_part_open(&x, &b, &how, &e), 0);
    CU_ASSERT(enc_bes_part_of(x, 0)->share < VERTICES / WORKERS * 11 / 10);
    enc_bes_part_close(x);
    bes_close(&b);
}

static void a_block_that_is_not_reached_has_no_numbers(void)
{
    static const char text[] = "block mu B0 is X0 = X1 X1 = X0_2 end block "
                               "block mu B1 is X0 = true X1 = X1 end block "
                               "block nu B2 is X5 = X0 X0 = X5 end block";
    static const worker_id owner[] = { 0, 1, 1, 1, 1, 0 };
    mem m = MEM_INIT;
    bes b;
    err e = ERR_INIT;
    enc_bes_parts *x;
    char name[20];
    CU_ASSERT_EQUAL_FATAL(bes_parse(&b, &m, "x", text, strlen(text), NULL, &e), 0);
    enc_bes_part_options o = { { .root = bes_find(&b, (bes_name){ 1, 0 }) }, 2, owner };
    CU_ASSERT_EQUAL_FATAL(enc_bes_part_open(&x, &b, &o, &e), 0);
    graph_part *p = enc_bes_part_of(x, 0);
    CU_ASSERT(p->share == 2 && p->g->block_count == 2);
    CU_ASSERT(p->root_owner == 1 && p->g->root == 0);
    CU_ASSERT_EQUAL(enc_bes_part_link(x, bes_find(&b, (bes_name){ 0, 1 })), VERTEX_NONE);
    graph_name_block(p->g, 1, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "B2");
    p->g->class->name_of(p->g, 1, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "X0_2");
    enc_bes_part_close(x);
    bes_close(&b);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void every_refused_allocation_is_a_limit(void)
{
    mem m = MEM_INIT;
    bes b = random_system(&m, 9);
    size_t before = m.now, failed = 0;
    for (bool more = true; more; failed += more) {
        enc_bes_parts *x = NULL;
        err e = ERR_INIT;
        enc_bes_part_options o = { { .root = 0 }, 3, NULL };
        m.calls = 0;
        m.fail_at = failed + 1;
        int code = enc_bes_part_open(&x, &b, &o, &e);
        more = m.calls >= m.fail_at;
        CU_ASSERT_EQUAL_FATAL(code, more ? ERR_LIMIT : 0);
        enc_bes_part_close(x);
        CU_ASSERT_EQUAL_FATAL(m.now, before);
    }
    CU_ASSERT(failed >= 10);
    m.fail_at = 0;
    bes_close(&b);
}

static void more_links_than_numbers_are_refused(void)
{
    mem m = MEM_INIT;
    bes b;
    err e = ERR_INIT;
    enc_bes_parts *x = NULL;
    bes_random_options o = { .variables = 100000, .blocks = 1, .degree = 0, .seed = 1 };
    CU_ASSERT_EQUAL_FATAL(bes_random(&b, &m, &o, &e), 0);
    worker_id *owner = calloc(b.vertices, sizeof *owner);
    enc_bes_part_options how = { { .any_vertex = true }, 50000, owner };
    size_t before = m.now;
    CU_ASSERT_EQUAL(enc_bes_part_open(&x, &b, &how, &e), ERR_LIMIT);
    CU_ASSERT(strstr(e.text, "50000 workers with up to 100000 vertices each") != NULL);
    CU_ASSERT_EQUAL(m.now, before);
    free(owner);
    bes_close(&b);
}

CU_TestInfo test_enc_bes_part[] = {
    { "parts are the same graph", parts_are_the_same_graph },
    { "a hash deals out evenly", a_hash_deals_out_evenly },
    { "a block that is not reached has no numbers",
      a_block_that_is_not_reached_has_no_numbers },
    { "every refused allocation is a limit", every_refused_allocation_is_a_limit },
    { "more links than numbers are refused", more_links_than_numbers_are_refused },
    CU_TEST_INFO_NULL,
};
