/*
 * test_network_rows.c - the sorted transitions of a component are those of the list they
 * came from, whether the index has a slot for every pair or is a hash table.
 */
#include "models/network_rows.h"
#include "tests/naive_lts.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

/* Each state's groups and targets ascend, and are as many as promised. */
static void check_order(const network_rows *r)
{
    CU_ASSERT_EQUAL(r->row[0], 0);
    CU_ASSERT_EQUAL(r->row[r->states], r->groups);
    CU_ASSERT_EQUAL(r->group[r->groups].first, r->targets);
    for (state_id s = 0; s < r->states; s++)
        for (uint32_t k = r->row[s]; k < r->row[s + 1]; k++) {
            const network_group *g = &r->group[k];
            CU_ASSERT(g->label < r->labels && g->first < g[1].first);
            CU_ASSERT(k == r->row[s] || g[-1].label < g->label);
            for (uint32_t t = g->first + 1; t < g[1].first; t++)
                CU_ASSERT(r->target[t - 1] < r->target[t]);
        }
}

/* Is there an edge, whose label has this text in the network? */
static bool has_edge(const naive_lts *n, const label_id *text, state_id from,
                     label_id label, state_id to)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->edges[i].from == from && text[n->edges[i].label] == label &&
            n->edges[i].to == to)
            return true;
    return false;
}

/* All that is in the rows is in the list ... */
static void check_rows(const network_rows *r, const naive_lts *n, const label_id *text)
{
    for (state_id s = 0; s < r->states; s++)
        for (uint32_t l = 0; l < r->labels; l++) {
            const network_slot *p = network_view_find(&r->view, s, l);
            if (p == NULL) continue;
            CU_ASSERT(p->state == s && p->label == l && p->count > 0);
            CU_ASSERT(r->trace[l] >> (s % 64) & 1);
            for (uint32_t i = 0; i < p->count; i++)
                CU_ASSERT(has_edge(n, text, s, r->text[l], r->target[p->first + i]));
        }
}

/* ... and all that is in the list is in the rows. */
static void check_list(const network_rows *r, const naive_lts *n, const label_id *text)
{
    for (size_t i = 0; i < n->count; i++) {
        uint32_t l = 0, at = 0;
        while (l < r->labels && r->text[l] != text[n->edges[i].label]) l++;
        CU_ASSERT_FATAL(l < r->labels);
        const network_slot *p =
            network_view_find(&r->view, (state_id)n->edges[i].from, l);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        while (at < p->count && r->target[p->first + at] != n->edges[i].to) at++;
        CU_ASSERT(at < p->count);
    }
}

static const struct {
    uint64_t states;
    size_t edges, labels;
    unsigned merge; /* labels whose number is equal modulo this are one */
    bool hashed;
} rows[] = {
    { 1, 0, 1, 1000, false },        { 1, 40, 7, 1000, false },
    { 7, 200, 5, 1000, false },      { 7, 200, 40, 3, false },
    { 60, 900, 300, 1000, false },   { 500, 1500, 300, 1000, true },
    { 70000, 600, 300, 1000, true }, { 400, 2500, 900, 1000, true },
};

static void rows_are_the_list(void)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        naive_lts n = naive_random(rows[i].states, rows[i].edges, rows[i].labels,
                                   NAIVE_SHUFFLED, i + 1);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = naive_rows(&n, &m);
        label_id *text = calloc(rows[i].labels + 2, sizeof *text);
        for (label_id l = 0; l < label_table_count(g.labels); l++)
            text[l] = 7 + l % rows[i].merge;
        network_rows r;
        CU_ASSERT_EQUAL_FATAL(network_rows_open(&r, &g, text, 1100, &e), 0);
        lts_close(&g);
        CU_ASSERT_EQUAL_FATAL(network_rows_index(&r, &e), 0);
        CU_ASSERT_EQUAL(r.view.factor != 1, rows[i].hashed);
        check_order(&r);
        check_list(&r, &n, text);
        if (rows[i].states < 1000) check_rows(&r, &n, text);
        network_rows_close(&r);
        CU_ASSERT_EQUAL(m.now, 0);
        free(text);
        naive_close(&n);
    }
}

CU_TestInfo test_network_rows[] = { { "rows are the list", rows_are_the_list },
                                    CU_TEST_INFO_NULL };
