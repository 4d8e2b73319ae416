#include "core/vertex_store.h"

#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A naive set: all keys in order of insertion, found by looking at each. */
typedef struct naive {
    uint32_t *keys;
    uint32_t words, count;
} naive;

static uint32_t naive_put(naive *n, const uint32_t *key)
{
    size_t bytes = n->words * sizeof *key;
    for (uint32_t i = 0; i < n->count; i++)
        if (memcmp(n->keys + (size_t)i * n->words, key, bytes) == 0) return i;
    memcpy(n->keys + (size_t)n->count * n->words, key, bytes);
    return n->count++;
}

static void draw_key(random_stream *r, uint32_t *key, uint32_t words, uint32_t values)
{
    for (uint32_t i = 0; i < words; i++) key[i] = 0;
    key[random_below(r, words)] = (uint32_t)random_below(r, values);
    key[words - 1] ^= (uint32_t)random_below(r, 4) << 30;
}

static void agrees_with_a_naive_set_at_every_width(void)
{
    enum { KEYS = 1500 };
    static const uint32_t widths[] = { 1, 2, 3, 4, 5, 7, 8, 16, 33, 64, 255, 256 };
    for (size_t w = 0; w < COUNT_OF(widths); w++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        uint32_t words = widths[w], key[256];
        naive n = { malloc((size_t)KEYS * words * sizeof *key), words, 0 };
        vertex_store *s;
        random_stream r = random_open(7, words);
        CU_ASSERT_EQUAL_FATAL(vertex_store_open(&s, &m, words, VERTEX_STORE_MAX, &e), 0);
        for (int i = 0; i < KEYS; i++) {
            local_id id, before;
            draw_key(&r, key, words, 1 << 9);
            uint64_t hash = vertex_store_hash(key, words);
            before = vertex_store_find(s, key, hash);
            uint32_t known = n.count, want = naive_put(&n, key);
            CU_ASSERT_EQUAL(before, want < known ? want : UINT32_MAX);
            CU_ASSERT_EQUAL(vertex_store_put(s, key, hash, &id, &e), 0);
            if (id != want) printf("width %u, key %d of seed 7\n", words, i);
            CU_ASSERT_EQUAL_FATAL(id, want);
        }
        CU_ASSERT_EQUAL(vertex_store_count(s), n.count);
        for (uint32_t i = 0; i < n.count; i++)
            CU_ASSERT_EQUAL(memcmp(vertex_store_key(s, i), n.keys + (size_t)i * words,
                                   words * sizeof *key),
                            0);
        vertex_store_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
        free(n.keys);
    }
}

/* Numbers 0, 1, 2, ... as keys of two words: what number a key has is known. */
static void number_key(uint64_t number, uint32_t key[2])
{
    uint64_t mixed = hash_word(number); /* a bijection */
    key[0] = (uint32_t)mixed, key[1] = (uint32_t)(mixed >> 32);
}

static void numbers_millions_of_keys_in_order(void)
{
    enum { BATCH = 1000 };
    const uint32_t keys = 3000000;
    mem m = MEM_INIT;
    err e = ERR_INIT;
    vertex_store *s;
    CU_ASSERT_EQUAL_FATAL(vertex_store_open(&s, &m, 2, VERTEX_STORE_MAX, &e), 0);
    static uint32_t key[BATCH][2];
    static uint64_t hash[BATCH];
    static local_id id[BATCH];
    uint64_t wrong = 0;
    for (int round = 0; round < 2; round++) /* the second time all are there */
        for (uint32_t i = 0; i < keys; i += BATCH) {
            for (uint32_t k = 0; k < BATCH; k++) {
                number_key(i + k, key[k]);
                hash[k] = vertex_store_hash(key[k], 2);
            }
            CU_ASSERT_EQUAL_FATAL(vertex_store_put_all(s, key[0], hash, BATCH, id, &e),
                                  0);
            for (uint32_t k = 0; k < BATCH; k++) wrong += id[k] != i + k;
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(vertex_store_count(s), keys);
    CU_ASSERT(m.now < keys * (8 + 12ull) + (4 << 20)); /* a table of 5.7 to 11.4 bytes */
    uint32_t absent[2];
    number_key(keys, absent);
    CU_ASSERT_EQUAL(vertex_store_find(s, absent, vertex_store_hash(absent, 2)),
                    UINT32_MAX);
    vertex_store_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* The caller's hash decides where a key goes: let many have nearly the same one. */
static void keys_with_one_hash_are_told_apart(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    vertex_store *s;
    CU_ASSERT_EQUAL_FATAL(vertex_store_open(&s, &m, 1, VERTEX_STORE_MAX, &e), 0);
    for (uint32_t i = 0; i < 40; i++) {
        local_id id;
        CU_ASSERT_EQUAL(vertex_store_put(s, &i, 0x1234, &id, &e), 0);
        CU_ASSERT_EQUAL(id, i);
    }
    for (uint32_t i = 0; i < 40; i++)
        CU_ASSERT_EQUAL(vertex_store_find(s, &i, 0x1234), i);
    vertex_store_close(s);
}

static int fill(mem *m, uint32_t keys, local_id *count, err *e)
{
    vertex_store *s = NULL;
    *count = 0;
    if (vertex_store_open(&s, m, 2, VERTEX_STORE_MAX, e) != 0) return (int)e->code;
    for (uint32_t i = 0; i < keys && e->code == ERR_NONE; i++) {
        uint32_t key[2];
        local_id id;
        number_key(i, key);
        vertex_store_put(s, key, vertex_store_hash(key, 2), &id, e);
    }
    for (uint32_t i = 0; i < vertex_store_count(s); i++) { /* what is there stays there */
        uint32_t key[2];
        number_key(i, key);
        CU_ASSERT_EQUAL(vertex_store_find(s, key, vertex_store_hash(key, 2)), i);
    }
    *count = vertex_store_count(s);
    vertex_store_close(s);
    return (int)e->code;
}

static void every_refused_allocation_is_survived(void)
{
    const uint32_t keys = 20000;
    size_t fail_at = 1;
    for (;; fail_at++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        local_id count;
        m.fail_at = fail_at;
        int code = fill(&m, keys, &count, &e);
        CU_ASSERT_EQUAL(m.now, 0);
        if (code == 0) break;
        CU_ASSERT_EQUAL(code, ERR_LIMIT);
    }
    CU_ASSERT(fail_at > 15);
}

static void no_key_beyond_the_bound_gets_a_number(void)
{
    static const local_id bounds[] = { 1, 41, 42, 43, 1000, 262143, 262144, 262145 };
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        vertex_store *s;
        uint32_t key[2], number = 0;
        local_id id;
        CU_ASSERT_EQUAL_FATAL(vertex_store_open(&s, &m, 2, bounds[i], &e), 0);
        do number_key(number++, key);
        while (vertex_store_put(s, key, vertex_store_hash(key, 2), &id, &e) == 0);
        CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
        CU_ASSERT_EQUAL(vertex_store_count(s), bounds[i]);
        e = ERR_INIT; /* those that are there are still found */
        number_key(0, key);
        CU_ASSERT_EQUAL(vertex_store_put(s, key, vertex_store_hash(key, 2), &id, &e), 0);
        CU_ASSERT_EQUAL(id, 0);
        vertex_store_close(s);
    }
}

static void a_limit_ends_it_with_all_keys_found(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    local_id count;
    m.limit = 1 << 20;
    CU_ASSERT_EQUAL(fill(&m, 1 << 20, &count, &e), ERR_LIMIT);
    CU_ASSERT(count > 20000);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_vertex_store[] = {
    { "agrees with a naive set at every width", agrees_with_a_naive_set_at_every_width },
    { "numbers millions of keys in order", numbers_millions_of_keys_in_order },
    { "keys with one hash are told apart", keys_with_one_hash_are_told_apart },
    { "every refused allocation is survived", every_refused_allocation_is_survived },
    { "no key beyond the bound gets a number", no_key_beyond_the_bound_gets_a_number },
    { "a limit ends it with all keys found", a_limit_ends_it_with_all_keys_found },
    CU_TEST_INFO_NULL
};
