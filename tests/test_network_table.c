/*
 * test_network_table.c - how components' states are packed into keys: no two fields share
 * a bit, none crosses a word, and first fit needs no more words than it should.
 */
#include "models/network_table.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables of components with so many states and no transitions. */
static int open_table(network_table *t, mem *m, const state_id *states, size_t count,
                      err *e)
{
    static const exp_net none;
    const load_options o = { .m = m };
    network_compiler c = { .m = m, .net = &none, .options = &o };
    for (size_t i = 0; i < count; i++) {
        network_file f = { .path = mem_get(m, 1, e) };
        f.rows.states = states[i];
        CU_ASSERT_EQUAL_FATAL(vec_push(m, &c.file, f, e), 0);
        CU_ASSERT_EQUAL_FATAL(vec_push(m, &c.component, (uint32_t)i, e), 0);
    }
    int code = network_table_open(t, &c, e);
    network_compile_close(&c);
    return code;
}

/* The largest states and the others, written together, are all read again. */
static bool keeps_all(const network_table *t, const state_id *states)
{
    uint32_t key[MODEL_KEY_WORDS_MAX] = { 0 };
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < t->components; i++)
            network_field_set(&t->field[i], key,
                              (i + (uint32_t)round) % 2 ? states[i] - 1 : 0);
        for (uint32_t i = 0; i < t->components; i++)
            if (network_field_get(&t->field[i], key) !=
                ((i + (uint32_t)round) % 2 ? states[i] - 1 : 0))
                return false;
    }
    for (uint32_t w = t->key_words; w < MODEL_KEY_WORDS_MAX; w++)
        if (key[w] != 0) return false;
    return true;
}

/* `count` components with `states` states each, then one with `last`. */
static const struct {
    size_t count;
    state_id states, last;
    uint32_t words; /* 0: too many */
} rows[] = {
    { 1, 1, 1, 1 },
    { 300, 1, 1, 1 },
    { 31, 2, 2, 1 },
    { 32, 2, 2, 2 }, /* 33 bits */
    { 32, 2, 1, 1 },
    { 1, STATES_MAX, 1, 1 },
    { 1, STATES_MAX, 2, 2 },
    { 3, STATES_MAX, STATES_MAX, 4 },
    { 1, (state_id)1 << 31, 2, 1 },
    { 1, ((state_id)1 << 31) + 1, 2, 2 },
    { 2, 1 << 16, 1, 1 },
    { 2, (1 << 16) + 1, 1, 2 },
    { 3, 1 << 10, 4, 1 },
    { 3, (1 << 10) + 1, 2, 2 },
    { 1, 3, 3, 1 },
    { 255, STATES_MAX, 2, 256 },
    { 256, STATES_MAX, 1, 256 },
    { 256, STATES_MAX, 2, 0 },
    { 8191, 2, 2, 256 },
    { 8192, 2, 2, 0 },
};

static void fields_keep_apart(void)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        network_table t;
        size_t count = rows[i].count + 1;
        state_id *states = calloc(count, sizeof *states);
        for (size_t k = 0; k < count; k++) states[k] = rows[i].states;
        states[count - 1] = rows[i].last;
        int code = open_table(&t, &m, states, count, &e);
        CU_ASSERT_EQUAL(code, rows[i].words ? 0 : ERR_LIMIT);
        if (code == 0) {
            if (t.key_words != rows[i].words)
                printf("\nrow %zu: %u words", i, t.key_words);
            CU_ASSERT_EQUAL(t.key_words, rows[i].words);
            CU_ASSERT(keeps_all(&t, states));
        }
        network_table_close(&t);
        CU_ASSERT_EQUAL(m.now, 0);
        free(states);
    }
}

/* First fit, widest first: 20, 20, 12 and 12 bits are two words in any order. */
static void wide_fields_come_first(void)
{
    static const state_id states[] = { 1 << 12, 1 << 20, 1 << 12, 1 << 20 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    network_table t;
    CU_ASSERT_EQUAL_FATAL(open_table(&t, &m, states, COUNT_OF(states), &e), 0);
    CU_ASSERT_EQUAL(t.key_words, 2);
    CU_ASSERT(keeps_all(&t, states));
    network_table_close(&t);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_network_table[] = { { "fields keep apart", fields_keep_apart },
                                     { "wide fields come first", wide_fields_come_first },
                                     CU_TEST_INFO_NULL };
