/*
 * test_enc_bes.c - a system as a graph: rows, names, and that promises are true.
 */
#include "core/ids.h"
#include "encodings/enc_bes.h"
#include "lang/bes_random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static mem account = { .limit = 0 };

static void parse(bes *b, const char *text)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_parse(b, &account, "x.bes", text, strlen(text), NULL, &e),
                          0);
}

static enc_bes *encode(const bes *b, vertex_id root, bool any)
{
    enc_bes *x = NULL;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(
        enc_bes_open(&x, b, &(enc_bes_options){ .root = root, .any_vertex = any }, &e),
        0);
    return x;
}

enum {
    A = GRAPH_ACYCLIC,
    D = GRAPH_DISJUNCTIVE,
    C = GRAPH_CONJUNCTIVE,
    P = GRAPH_PURE,
    S = GRAPH_SINGLE_ENTRY
};

/* Systems, and what is promised of the first and the second block of the graph. */
static const struct {
    const char *text;
    unsigned promise[2];
} promises[] = {
    { "block mu B0 is X0 = X0 or X1 X1 = true end block", { D | P | S } },
    { "block mu B0 is X0 = X0 and X1 X1 = true end block", { C | P | S } },
    { "block mu B0 is X0 = X1 X1 = true end block", { A | D | P | S } },
    { "block nu B0 is X0 = X1 X1 = true end block", { A | C | P | S } },
    { "block mu B0 is X0 = true end block", { A | D | P | S } },
    { "block nu B0 is X0 = false X1 = true end block", { A | C | P | S } },
    { "block nu B0 is X0 = X1 and X0_1 X1 = X0_1 or X1_1 end block "
      "block mu B1 is X0 = true X1 = false end block",
      { A | D | C | S, A | D | P } },
    { "block mu B0 is X0 = X1 or X2 X1 = X0 and X2 X2 = false end block", { S } },
    /* an and with one successor inside, the others outside */
    { "block mu B0 is X0 = X1 or X0 X1 = X0 and X0_1 end block "
      "block nu B1 is X0 = X0 X1 = X1 or X0 end block",
      { D | S, D | P | S } },
    /* twice the same one is one */
    { "block mu B0 is X0 = X1 or X0 X1 = X0 and X0 end block", { D | S } },
    { "block mu B0 is X0 = X1 and X0 X1 = X0 or X0_1 end block "
      "block nu B1 is X0 = X1 X1 = X0 end block",
      { C | S, C | P | S } },
    /* two entries; twice the same one is one */
    { "block mu B0 is X0 = X0_1 or X1_1 end block "
      "block mu B1 is X0 = X1 X1 = X0 end block",
      { A | D | P | S, D | P } },
    { "block mu B0 is X0 = X1_1 or X1_1 X1 = X1_1 end block "
      "block mu B1 is X0 = X1 X1 = X0 end block",
      { A | D | P | S, D | P | S } },
    /* blocks that are not reached do not count: the root is X0_0 */
    { "block mu B5 is X0 = X1_1 end block block mu B0 is X0 = X0_1 end block "
      "block mu B1 is X0 = X1 X1 = X0 end block",
      { A | D | P | S, D | P | S } },
};

static void promises_are_made_as_they_can_be(void)
{
    for (size_t i = 0; i < COUNT_OF(promises); i++) {
        bes b;
        parse(&b, promises[i].text);
        enc_bes *x = encode(&b, bes_find(&b, (bes_name){ 0, 0 }), false);
        const graph *g = enc_bes_graph(x);
        for (uint32_t k = 0; k < g->block_count; k++) {
            if (g->blocks[k].promise != promises[i].promise[k])
                printf("\n%s: block %u promises %u", promises[i].text, k,
                       g->blocks[k].promise);
            CU_ASSERT_EQUAL(g->blocks[k].promise, promises[i].promise[k]);
        }
        enc_bes_close(x);
        bes_close(&b);
        CU_ASSERT_EQUAL(account.now, 0);
    }
}

static void shapes_asked_for_are_promised(void)
{
    static const unsigned want[] = { 0, A, D, C };
    for (uint64_t seed = 0; seed < 400; seed++) {
        bes_random_options o = { .variables = 60,
                                 .blocks = 3,
                                 .degree = 2.5,
                                 .and_share = 0.5,
                                 .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                                 .seed = seed };
        bes b;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL_FATAL(bes_random(&b, &account, &o, &e), 0);
        enc_bes *x = encode(&b, 0, seed % 2 == 0);
        const graph *g = enc_bes_graph(x);
        for (uint32_t k = 0; k < g->block_count; k++) {
            unsigned p = g->blocks[k].promise;
            CU_ASSERT_EQUAL(p & want[o.shape], want[o.shape]);
            CU_ASSERT(seed % 2 != 0 || !(p & S));
        }
        enc_bes_close(x);
        bes_close(&b);
    }
}

/* All of a row through a window of `room`. */
static uint32_t row_of(const graph *g, vertex_id v, uint32_t room, vertex_id *out)
{
    uint32_t count = 0;
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    do {
        graph_expand(g, v, row.next, out + count, room, &row);
        CU_ASSERT(row.count <= room);
        count += row.count;
    } while (row.next != GRAPH_ROW_END);
    return count;
}

static void rows_do_not_depend_on_the_room(void)
{
    bes b;
    parse(&b,
          "block mu B0 is X0 = X0 or X1 or X2 or X3 or X1 or X2 or X0 X1 = true X2 = X1 "
          "X3 = false end block");
    enc_bes *x = encode(&b, 0, false);
    for (vertex_id v = 0; v < 4; v++)
        for (uint32_t room = 1; room < 10; room++) {
            vertex_id to[32];
            uint32_t count = row_of(enc_bes_graph(x), v, room, to);
            CU_ASSERT_EQUAL(count, b.first[v + 1] - b.first[v]);
            CU_ASSERT_EQUAL(memcmp(to, &b.operand[b.first[v]], count * sizeof *to), 0);
        }
    enc_bes_close(x);
    bes_close(&b);
}

static void names_are_those_of_the_text(void)
{
    bes b;
    char name[32];
    parse(&b, "block mu B3 is X7 = X1_12 end block block nu B12 is X9 = X1 X1 = X9 "
              "end block block mu B1 is end block");
    enc_bes *x = encode(&b, 0, false);
    const graph *g = enc_bes_graph(x);
    CU_ASSERT_EQUAL(g->block_count, 2); /* B1 is not reached */
    g->class->name_of(g, 0, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "X7_3");
    g->class->name_of(g, 2, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "X1_12");
    graph_name_block(g, 1, name, sizeof name);
    CU_ASSERT_STRING_EQUAL(name, "B12");
    g->class->name_of(g, 2, name, 3);
    CU_ASSERT_STRING_EQUAL(name, "X1");
    graph_fetch(g, 0, 0); /* nothing to see, but it must not crash */
    graph_fetch(g, 2, 1);
    enc_bes_close(x);
    bes_close(&b);
}

static void every_refused_allocation_is_a_limit(void)
{
    bes b;
    parse(&b, promises[8].text);
    size_t before = account.now;
    for (size_t at = 1;; at++) {
        enc_bes *x = NULL;
        err e = ERR_INIT;
        account.calls = 0;
        account.fail_at = at;
        int code = enc_bes_open(&x, &b, &(enc_bes_options){ .root = 0 }, &e);
        if (code == 0) enc_bes_close(x);
        CU_ASSERT_EQUAL_FATAL(account.now, before);
        CU_ASSERT_FATAL(code == 0 || code == ERR_LIMIT);
        if (code == 0) break;
    }
    account.fail_at = 0;
    bes_close(&b);
}

CU_TestInfo test_enc_bes[] = {
    { "promises are made as they can be", promises_are_made_as_they_can_be },
    { "shapes asked for are promised", shapes_asked_for_are_promised },
    { "rows do not depend on the room", rows_do_not_depend_on_the_room },
    { "names are those of the text", names_are_those_of_the_text },
    { "every refused allocation is a limit", every_refused_allocation_is_a_limit },
    CU_TEST_INFO_NULL,
};
