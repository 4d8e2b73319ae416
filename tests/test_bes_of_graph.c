/*
 * test_bes_of_graph.c - graphs written down as equations, mostly those of systems: what comes
 * out must mean the same as what went in.
 */
#include "core/ids.h"
#include "encodings/bes_of_graph.h"
#include "encodings/enc_bes.h"
#include "lang/bes_random.h"
#include "tests/naive_bes.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void parse(bes *b, mem *m, const char *text)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_parse(b, m, "x.bes", text, strlen(text), NULL, &e), 0);
}

/* The system that a variable of `b` reaches. */
static int copy_from(bes *out, const bes *b, vertex_id root, mem *m, err *e)
{
    enc_bes *x = NULL;
    *out = (bes){ .m = NULL };
    if (enc_bes_open(&x, b, &(enc_bes_options){ .root = root }, e) == 0)
        bes_of_graph(out, m, enc_bes_graph(x), NULL, e);
    enc_bes_close(x);
    return (int)e->code;
}

/* The text of a system, blanks and ends of lines made one blank; the caller frees it. */
static char *text_of(const bes *b)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.bes");
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(bes_write(b, path, NULL, &e), 0);
    char *text = scratch_read(path, NULL), *to = text;
    for (const char *from = text; *from; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (!blank) *to++ = *from;
        else if (to > text && to[-1] != ' ') *to++ = ' ';
    }
    *to = '\0';
    scratch_close(&s);
    return text;
}

static void the_root_is_first_and_what_it_reaches_follows(void)
{
    static const struct {
        const char *from;
        bes_name root;
        const char *to;
    } rows[] = {
        { "block mu B0 is X0 = true end block",
          { 0, 0 },
          "block mu B0 is X0 = true end block " },
        { "block nu B0 is X0 = false X1 = X0 end block",
          { 0, 0 },
          "block nu B0 is X0 = false end block " },
        /* breadth-first numbers, an operand twice stays twice */
        { "block mu B0 is X0 = X2 or X1 X1 = true X2 = X0 and X3 and X3 X3 = false "
          "end block",
          { 0, 0 },
          "block mu B0 is X0 = X1 or X2 X1 = X0 and X3 and X3 X2 = true X3 = false "
          "end block " },
        /* the root is X0_0 whatever its name was; blocks that are not met are left out */
        { "block mu B0 is X0 = X5_7 end block block nu B3 is X1 = X1 end block "
          "block nu B7 is X5 = X5 and X6 X6 = X2_9 end block "
          "block mu B9 is X1 = true X2 = X2 end block",
          { 5, 7 },
          "block nu B0 is X0 = X0 and X1 X1 = X0_1 end block "
          "block mu B1 is X0 = X0 end block " },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes b, out;
        parse(&b, &m, rows[i].from);
        CU_ASSERT_EQUAL_FATAL(copy_from(&out, &b, bes_find(&b, rows[i].root), &m, &e), 0);
        char *text = text_of(&out);
        CU_ASSERT_STRING_EQUAL(text, rows[i].to);
        if (strcmp(text, rows[i].to) != 0) printf("\n%s\n", text);
        free(text);
        bes_close(&out);
        bes_close(&b);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static bool value_of(const bes *b, vertex_id v)
{
    uint8_t *value = malloc(b->vertices);
    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    naive_bes_solve(b, value);
    bool is = value[v];
    free(value);
    return is;
}

/* What is written can be read again. */
static void check_text(const bes *b, bool right, mem *m)
{
    bes again;
    char *text = text_of(b);
    parse(&again, m, text);
    CU_ASSERT_EQUAL(again.vertices, b->vertices);
    CU_ASSERT_EQUAL(again.operand_count, b->operand_count);
    CU_ASSERT_EQUAL(value_of(&again, 0), right);
    free(text);
    bes_close(&again);
}

static void random_systems_keep_their_values(void)
{
    unsigned smaller = 0, trues = 0;
    enum { CASES = 600 };
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes_random_options o = { .variables = 80,
                                 .blocks = 1 + (uint32_t)(seed % 5),
                                 .degree = 2,
                                 .and_share = 0.5,
                                 .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                                 .seed = seed };
        bes b, out;
        CU_ASSERT_EQUAL_FATAL(bes_random(&b, &m, &o, &e), 0);
        vertex_id root = (vertex_id)(seed % b.vertices);
        CU_ASSERT_EQUAL_FATAL(copy_from(&out, &b, root, &m, &e), 0);
        bool right = value_of(&b, root);
        CU_ASSERT_EQUAL(value_of(&out, 0), right);
        smaller += out.vertices < b.vertices;
        trues += right;
        if (seed % 20 == 0) check_text(&out, right, &m);
        bes_close(&out);
        bes_close(&b);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    CU_ASSERT(smaller > CASES / 4 && trues > CASES / 8 && trues < CASES * 7 / 8);
}

/* ---- graphs that are no systems ------------------------------------------------------------- */

/* A row of LONG successors, some twice, all of them leaves. */
enum { LONG = 1000 };

static void long_row(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                     uint32_t room, graph_row *out)
{
    (void)g;
    *out = (graph_row){ v ? GRAPH_AND : GRAPH_OR, 0, GRAPH_ROW_END };
    if (v) return;
    for (; place < LONG && out->count < room; place++)
        buffer[out->count++] = 1 + place % (LONG / 2);
    if (place < LONG) out->next = place;
}

static const graph_class long_class = { .name = "long", .expand = long_row };

static void long_rows_are_taken_whole(void)
{
    graph_block block = { .sign = GRAPH_MU, .begin = 0, .end = LONG };
    graph g = { .class = &long_class, .vertices = LONG, .block_count = 1 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    bes b;
    g.blocks = &block;
    CU_ASSERT_EQUAL_FATAL(bes_of_graph(&b, &m, &g, NULL, &e), 0);
    CU_ASSERT_EQUAL(b.vertices, LONG / 2 + 1); /* the others are not reached */
    CU_ASSERT_EQUAL(b.operand_count, LONG);
    CU_ASSERT_EQUAL(b.first[1], LONG);
    for (uint32_t i = 0; i < LONG; i++) CU_ASSERT_EQUAL(b.operand[i], 1 + i % (LONG / 2));
    bes_close(&b);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Vertex 0 leads to 2; 1, a block of its own, is not reached. */
static void skipping_row(const graph *g, vertex_id v, graph_place place,
                         vertex_id *buffer, uint32_t room, graph_row *out)
{
    (void)g, (void)place, (void)room;
    *out = (graph_row){ v ? GRAPH_AND : GRAPH_OR, v == 0, GRAPH_ROW_END };
    buffer[0] = 2;
}

static const graph_class skipping_class = { .name = "skipping", .expand = skipping_row };

static void blocks_that_are_not_reached_are_left_out(void)
{
    static const graph_block blocks[] = { { .sign = GRAPH_MU, .begin = 0, .end = 1 },
                                          { .sign = GRAPH_MU, .begin = 1, .end = 2 },
                                          { .sign = GRAPH_NU, .begin = 2, .end = 3 } };
    graph g = { .class = &skipping_class, .vertices = 3, .block_count = 3 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    bes b;
    g.blocks = blocks;
    CU_ASSERT_EQUAL_FATAL(bes_of_graph(&b, &m, &g, NULL, &e), 0);
    char *text = text_of(&b);
    CU_ASSERT_STRING_EQUAL(text, "block mu B0 is X0 = X0_1 end block "
                                 "block nu B1 is X0 = true end block ");
    free(text);
    bes_close(&b);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void nested_blocks_are_refused(void)
{
    static const struct {
        graph_sign sign;
        const char *kind;
    } rows[] = { { GRAPH_NU, "kind buchi" }, { GRAPH_MU, "kind cobuchi" } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        graph_block block = { .sign = rows[i].sign, .end = LONG, .outer_end = 1 };
        graph g = { .class = &long_class, .vertices = LONG, .block_count = 1 };
        mem m = MEM_INIT;
        err e = ERR_INIT;
        bes b;
        g.blocks = &block;
        CU_ASSERT_EQUAL(bes_of_graph(&b, &m, &g, NULL, &e), ERR_REFUSED);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].kind));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "block 0"));
        bes_close(&b); /* it is empty */
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void limits_leave_nothing(void)
{
    mem system = MEM_INIT;
    err fine = ERR_INIT;
    bes_random_options o = { .variables = 200, .blocks = 3, .degree = 2, .seed = 3 };
    bes b, out;
    enc_bes *x = NULL;
    CU_ASSERT_EQUAL_FATAL(bes_random(&b, &system, &o, &fine), 0);
    CU_ASSERT_EQUAL_FATAL(enc_bes_open(&x, &b, &(enc_bes_options){ .root = 0 }, &fine),
                          0);
    size_t n = 0;
    for (int rc = ERR_LIMIT; rc == ERR_LIMIT;) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = ++n;
        rc = bes_of_graph(&out, &m, enc_bes_graph(x), NULL, &e);
        CU_ASSERT_EQUAL_FATAL(rc, m.calls < n ? 0 : ERR_LIMIT);
        bes_close(&out); /* empty after a failure */
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    CU_ASSERT(n > 6);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    progress clock;
    progress_open(&clock, PROGRESS_OFF, 1e-9);
    progress_begin(&clock, "writing", "vertices", 0);
    usleep(1000);
    CU_ASSERT_EQUAL(bes_of_graph(&out, &m, enc_bes_graph(x), &clock, &e), ERR_LIMIT);
    CU_ASSERT_EQUAL(m.now, 0);
    enc_bes_close(x);
    bes_close(&b);
    CU_ASSERT_EQUAL(system.now, 0);
}

CU_TestInfo test_bes_of_graph[] = {
    { "the root is first and what it reaches follows",
      the_root_is_first_and_what_it_reaches_follows },
    { "random systems keep their values", random_systems_keep_their_values },
    { "long rows are taken whole", long_rows_are_taken_whole },
    { "blocks that are not reached are left out",
      blocks_that_are_not_reached_are_left_out },
    { "nested blocks are refused", nested_blocks_are_refused },
    { "limits leave nothing", limits_leave_nothing },
    CU_TEST_INFO_NULL
};
