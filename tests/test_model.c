#include "core/model.h"

#include "core/random.h"
#include "core/vertex_store.h"

#include <CUnit/CUnit.h>
#include <string.h>

/* Few labels and keys: most moves are there twice. */
static void draw_moves(random_stream *r, model_moves *o, uint32_t count, err *e)
{
    o->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *key = model_moves_add(o, (label_id)random_below(r, 3), e);
        for (uint32_t k = 0; k < o->key_words; k++) key[k] = (uint32_t)random_below(r, 3);
    }
}

typedef struct plain_moves {
    label_id label[500];
    uint32_t key[500][2];
    uint32_t count;
} plain_moves;

/* By the definition: a move is kept if no move before it is equal. */
static void keep_first(const model_moves *o, plain_moves *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < out->count; k++)
            known |= out->label[k] == o->label[i] &&
                     memcmp(out->key[k], model_moves_key(o, i), 8) == 0;
        if (known) continue;
        out->label[out->count] = o->label[i];
        memcpy(out->key[out->count++], model_moves_key(o, i), 8);
    }
}

static void of_equal_moves_the_first_is_kept(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model_moves o = { .m = &m, .key_words = 2 };
    random_stream r = random_open(3, 0);
    for (uint32_t count = 0; count < 500; count++) {
        static plain_moves want;
        draw_moves(&r, &o, count, &e);
        CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
        keep_first(&o, &want);
        model_moves_settle(&o);
        CU_ASSERT_EQUAL_FATAL(o.count, want.count);
        for (uint32_t i = 0; i < o.count; i++) {
            CU_ASSERT_EQUAL(o.label[i], want.label[i]);
            CU_ASSERT_EQUAL(memcmp(model_moves_key(&o, i), want.key[i], 8), 0);
            CU_ASSERT_EQUAL(o.hash[i], vertex_store_hash(want.key[i], 2));
        }
    }
    model_moves_release(&o);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void every_refused_allocation_leaves_what_was_there(void)
{
    for (size_t fail_at = 1;; fail_at++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model_moves o = { .m = &m, .key_words = 2 };
        m.fail_at = fail_at;
        uint32_t i = 0;
        for (uint32_t *key; i < 100 && (key = model_moves_add(&o, i, &e)); i++)
            key[0] = i, key[1] = ~i;
        CU_ASSERT_EQUAL(o.count, i);
        for (uint32_t k = 0; k < o.count; k++)
            CU_ASSERT(o.label[k] == k && model_moves_key(&o, k)[1] == ~k);
        model_moves_release(&o);
        CU_ASSERT_EQUAL(m.now, 0);
        if (e.code == ERR_NONE) return;
        CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    }
}

CU_TestInfo test_model[] = { { "of equal moves the first is kept",
                               of_equal_moves_the_first_is_kept },
                             { "every refused allocation leaves what was there",
                               every_refused_allocation_leaves_what_was_there },
                             CU_TEST_INFO_NULL };
