#include "algorithms/dependencies.h"
#include "core/ids.h"
#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>

static const graph plain = { .block_count = 1 }; /* all numbers are in use */

enum { VERTICES = 50, BEGIN = 1000, MOST = 4000 };

/* All dependencies of all vertices in the order of entering, and which were taken. */
typedef struct ledger {
    uint32_t vertex[MOST], who[MOST];
    bool taken[MOST];
    size_t count;
} ledger;

static void enter(dependencies *d, ledger *l, uint32_t who, uint32_t count,
                  random_stream *r)
{
    vertex_id row[64];
    err e = ERR_INIT;
    for (uint32_t i = 0; i < count; i++) {
        row[i] = BEGIN + (vertex_id)random_below(r, VERTICES);
        l->vertex[l->count] = row[i] - BEGIN;
        l->who[l->count++] = who;
    }
    CU_ASSERT_EQUAL_FATAL(dependencies_add(d, row, count, BEGIN, who, &e), 0);
}

/* The last one entered for the vertex that was not taken, or `count`. */
static size_t last_of(const ledger *l, uint32_t vertex)
{
    for (size_t i = l->count; i > 0; i--)
        if (l->vertex[i - 1] == vertex && !l->taken[i - 1]) return i - 1;
    return l->count;
}

static void take(dependencies *d, ledger *l, uint32_t vertex, uint32_t most)
{
    uint32_t who;
    for (uint32_t i = 0; i < most; i++) {
        size_t last = last_of(l, vertex);
        CU_ASSERT_EQUAL_FATAL(dependencies_take(d, vertex, &who), last < l->count);
        if (last == l->count) return;
        CU_ASSERT_EQUAL_FATAL(who, l->who[last]);
        l->taken[last] = true;
    }
}

/* Rows of all lengths, the same dependant again and again or ever another. */
static void what_was_entered_is_taken_last_first(void)
{
    static ledger l;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        dependencies d;
        random_stream r = random_open(seed, 1);
        l = (ledger){ .count = 0 };
        CU_ASSERT_EQUAL_FATAL(dependencies_open(&d, &m, &plain, VERTICES, &e), 0);
        for (uint32_t who = 0; l.count + 64 < MOST;
             who += (uint32_t)random_below(&r, 2)) {
            enter(&d, &l, who % VERTICES, (uint32_t)random_below(&r, 40), &r);
            if (random_below(&r, 4) == 0)
                take(&d, &l, (uint32_t)random_below(&r, VERTICES),
                     (uint32_t)random_below(&r, 30));
        }
        for (uint32_t v = 0; v < VERTICES; v++) take(&d, &l, v, MOST);
        dependencies_close(&d);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

/* A row of one vertex costs a word per link and a name every sixteen. */
static void a_row_costs_little_more_than_a_word_each(void)
{
    enum { ROWS = 10000, LENGTH = 32 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    dependencies d;
    vertex_id row[LENGTH];
    for (uint32_t i = 0; i < LENGTH; i++) row[i] = i;
    CU_ASSERT_EQUAL_FATAL(dependencies_open(&d, &m, &plain, ROWS, &e), 0);
    for (uint32_t who = 0; who < ROWS; who++)
        CU_ASSERT_EQUAL_FATAL(dependencies_add(&d, row, LENGTH, 0, who, &e), 0);
    CU_ASSERT_EQUAL(d.count, 1 + ROWS * (LENGTH + LENGTH / DEPENDENCIES_RUN));
    dependencies_close(&d);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_refused_allocation_is_a_limit_and_leaks_nothing(void)
{
    for (size_t n = 1; n <= 4; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        dependencies d;
        vertex_id row[1] = { 0 };
        m.fail_at = n;
        int rc = dependencies_open(&d, &m, &plain, 4, &e);
        for (uint32_t i = 0; rc == 0 && i < 5000; i++)
            rc = dependencies_add(&d, row, 1, 0, i % 4, &e);
        CU_ASSERT_EQUAL(rc, ERR_LIMIT);
        dependencies_close(&d);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_dependencies[] = { { "what was entered is taken, last first",
                                      what_was_entered_is_taken_last_first },
                                    { "a row costs little more than a word each",
                                      a_row_costs_little_more_than_a_word_each },
                                    { "a refused allocation is a limit and leaks nothing",
                                      a_refused_allocation_is_a_limit_and_leaks_nothing },
                                    CU_TEST_INFO_NULL };
