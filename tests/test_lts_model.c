#include "models/lts_model.h"

#include "core/ids.h"
#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <string.h>

/* Every state's moves are its row. */
static void check_moves(const model *s, const naive_lts *n)
{
    void *context = NULL;
    err e = ERR_INIT;
    model_moves moves = MODEL_MOVES_INIT(s);
    size_t next = 0;
    CU_ASSERT_EQUAL_FATAL(model_context_open(s, &context, &e), 0);
    for (uint32_t from = 0; from < n->states; from++) {
        CU_ASSERT_EQUAL_FATAL(model_moves_of(s, context, &from, &moves, &e), 0);
        for (uint32_t i = 0; i < moves.count; i++, next++) { /* the edges are sorted */
            CU_ASSERT_FATAL(next < n->count);
            CU_ASSERT_EQUAL(n->edges[next].from, from);
            CU_ASSERT_EQUAL(n->edges[next].label, moves.label[i]);
            CU_ASSERT_EQUAL(n->edges[next].to, moves.key[i]);
        }
    }
    CU_ASSERT_EQUAL(next, n->count);
    model_moves_release(&moves);
    model_context_close(s, context);
}

static void an_lts_is_a_model(void)
{
    for (size_t labels = 5; labels <= 300; labels += 295) {
        naive_lts n = naive_random(50, 700, labels, NAIVE_SORTED, labels);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        lts g = naive_rows(&n, &m);
        char text[16];
        CU_ASSERT_EQUAL_FATAL(lts_model_open(&s, &g, "x.aut", &e), 0);
        lts_close(&g); /* nothing is left in it */
        CU_ASSERT_PTR_NOT_NULL_FATAL(s->rows);
        CU_ASSERT_EQUAL(s->initial[0], n.initial);
        CU_ASSERT_EQUAL(s->file_count, 1);
        CU_ASSERT_STRING_EQUAL(s->files[0], "x.aut");
        CU_ASSERT_PTR_NULL(naive_difference(&n, s->rows));
        s->class->print(s, NULL, &(uint32_t){ 17 }, text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, "17");
        check_moves(s, &n);
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
        naive_close(&n);
    }
}

static void every_failing_allocation_leaves_nothing(void)
{
    naive_lts n = naive_random(5, 9, 3, NAIVE_SORTED, 1);
    for (size_t k = 1; k <= 3; k++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        lts g = naive_rows(&n, &m);
        m.fail_at = m.calls + k;
        CU_ASSERT_EQUAL(lts_model_open(&s, &g, "x.aut", &e), k < 3 ? ERR_LIMIT : 0);
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    naive_close(&n);
}

/* More than a row can count: refused, not cut off.  Its transitions need not be there. */
static void a_row_of_two_to_the_32_is_refused(void)
{
    static const struct {
        uint64_t longest;
        int code;
    } rows[] = { { UINT32_MAX, 0 }, { UINT64_C(1) << 32, ERR_LIMIT } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        lts g = { .m = &m, .states = 3, .label_bytes = 1 };
        g.first = mem_get_array(&m, 4, sizeof *g.first, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(g.first);
        g.first[1] = 10, g.first[2] = 10 + rows[i].longest;
        g.transitions = g.first[3] = g.first[2] + 10;
        CU_ASSERT_EQUAL(lts_longest_row(&g), rows[i].longest);
        CU_ASSERT_EQUAL(lts_model_open(&s, &g, "x.aut", &e), rows[i].code);
        if (rows[i].code)
            CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "4294967296 transitions"));
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_lts_model[] = { { "an LTS is a model", an_lts_is_a_model },
                                 { "every failing allocation leaves nothing",
                                   every_failing_allocation_leaves_nothing },
                                 { "a row of 2^32 is refused",
                                   a_row_of_two_to_the_32_is_refused },
                                 CU_TEST_INFO_NULL };
