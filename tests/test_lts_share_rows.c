#include "models/lts_share_rows.h"

#include "core/random.h"
#include "tests/sample_lts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

enum { SENDERS = 4 };

/* What one sender has to say; it says it in pieces, between those of others. */
typedef struct voice {
    lts_edge *edges;
    size_t count, said;
} voice;

static voice random_voice(random_stream *r, size_t count, state_id origin,
                          state_id states, label_id labels)
{
    voice v = { malloc((count + 1) * sizeof(lts_edge)), count, 0 };
    for (size_t i = 0; i < count; i++)
        v.edges[i] =
            (lts_edge){ origin + (state_id)random_below(r, states),
                        (state_id)random_next(r), (label_id)random_below(r, labels) };
    return v;
}

static void let_them_talk(lts_share_rows *rows, voice *v, random_stream *r)
{
    err e = ERR_INIT;
    for (size_t left = SENDERS; left > 0;) {
        voice *x = &v[random_below(r, SENDERS)];
        size_t count = 1 + (size_t)random_below(r, 100);
        if (count > x->count - x->said) count = x->count - x->said;
        CU_ASSERT_EQUAL(
            lts_share_rows_add(rows, (uint32_t)(x - v), x->edges + x->said, count, &e),
            0);
        x->said += count;
        left = 0;
        for (int i = 0; i < SENDERS; i++) left += v[i].said < v[i].count;
    }
}

/* Row by row: all of sender 0, then of sender 1, and so on. */
static bool holds(const lts *g, const voice *v, state_id origin)
{
    uint64_t *at = malloc(((size_t)g->states + 1) * sizeof *at);
    memcpy(at, g->first, ((size_t)g->states + 1) * sizeof *at);
    bool fine = g->first[0] == 0 && g->first[g->states] == g->transitions;
    for (int k = 0; k < SENDERS; k++)
        for (size_t i = 0; i < v[k].count && fine; i++) {
            const lts_edge *x = &v[k].edges[i];
            uint64_t t = at[x->from - origin]++;
            fine = t < g->first[x->from - origin + 1] && g->target[t] == x->to &&
                   lts_label(g, t) == x->label;
        }
    for (state_id s = 0; s < g->states && fine; s++) fine = at[s] == g->first[s + 1];
    free(at);
    return fine;
}

static void check_rows(size_t count, state_id states, label_id labels, uint64_t expected,
                       uint64_t seed)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    random_stream r = random_open(seed, 0);
    state_id origin = (state_id)random_below(&r, 1000000);
    voice v[SENDERS];
    lts_share_rows rows;
    lts g = { .m = &m, .labels = sample_labels(&m, labels) };
    for (int i = 0; i < SENDERS; i++)
        v[i] =
            random_voice(&r, (size_t)random_below(&r, count + 1), origin, states, labels);
    lts_share_rows_open(&rows, &m);
    lts_share_rows_expect(&rows, expected);
    let_them_talk(&rows, v, &r);
    CU_ASSERT_EQUAL(
        lts_share_rows_finish(&rows, origin, states, &g, 1 + (int)(seed % 3), &e), 0);
    CU_ASSERT_EQUAL(g.states, states);
    CU_ASSERT(holds(&g, v, origin));
    CU_ASSERT_EQUAL(g.label_bytes, label_table_width(labels));
    lts_share_rows_close(&rows);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    for (int i = 0; i < SENDERS; i++) free(v[i].edges);
}

static void rows_keep_the_order_of_senders_and_of_arrival(void)
{
    static const label_id labels[] = { 1, 256, 257, 65536, 65537 };
    for (uint64_t seed = 0; seed < 60; seed++)
        check_rows(seed % 4 ? 1000 : 3, 1 + (state_id)(seed * seed), labels[seed % 5],
                   seed % 3 * 700, seed);
    check_rows(0, 5, 1, 0, 1);
    check_rows(200000, 70000, 300, 100, 2); /* several buckets */
    check_rows(200000, 3, 3, 1000000, 3);
}

static void a_wish_for_too_much_is_no_failure(void)
{
    mem m = MEM_INIT;
    lts_share_rows rows;
    m.limit = 1000;
    lts_share_rows_open(&rows, &m);
    lts_share_rows_expect(&rows, 200);
    err e = ERR_INIT;
    lts_edge edge = { 0, 1, 0 };
    CU_ASSERT_EQUAL(lts_share_rows_add(&rows, 0, &edge, 1, &e), 0);
    for (int i = 0; i < 1000 && e.code == ERR_NONE; i++)
        lts_share_rows_add(&rows, 0, &edge, 1, &e);
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    lts_share_rows_close(&rows);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_lts_share_rows[] = { { "rows keep the order of senders and of arrival",
                                        rows_keep_the_order_of_senders_and_of_arrival },
                                      { "a wish for too much is no failure",
                                        a_wish_for_too_much_is_no_failure },
                                      CU_TEST_INFO_NULL };
