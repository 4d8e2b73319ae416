#include "tests/veiled_model.h"

#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct veiled {
    model base; /* first: a model of ours is this */
    const lts *g;
    uint32_t *initial;
    uint64_t fail_at, calls;
} veiled;

/* The state in one word, noise that depends on it in the others. */
static void write_key(const veiled *v, state_id s, uint32_t *key)
{
    for (uint32_t i = 0; i < v->base.key_words; i++)
        key[i] = (uint32_t)hash_word(s * 1000u + i);
    key[v->base.key_words / 2] = s * 2654435761u;
}

state_id veiled_state(const model *s, const uint32_t *key)
{
    return key[s->key_words / 2] * 244002641u; /* the inverse of that factor */
}

static int context_open(const model *s, void **out, err *e)
{
    (void)e;
    *out = (void *)s; /* needs none, but must not be NULL */
    return 0;
}

static void context_close(const model *s, void *context) { (void)s, (void)context; }

static int moves(const model *s, void *context, const uint32_t *key, model_moves *out,
                 err *e)
{
    veiled *v = (veiled *)context;
    if (v->fail_at && ++v->calls == v->fail_at)
        return err_set(e, ERR_INPUT, "the model failed (as the test asked)");
    lts_row row = lts_row_of(v->g, veiled_state(s, key));
    for (uint32_t i = 0; i < row.count; i++) {
        uint32_t *to = model_moves_add(out, lts_row_label(&row, i), e);
        if (to == NULL) return (int)e->code;
        write_key(v, row.target[i], to);
    }
    return 0;
}

static void print(const model *s, void *context, const uint32_t *key, char *into,
                  size_t bytes)
{
    (void)context;
    snprintf(into, bytes, "%u", veiled_state(s, key));
}

static void close(model *s)
{
    free(((veiled *)s)->initial);
    free(s);
}

static const model_class veiled_class = { .name = "veiled",
                                          .context_open = context_open,
                                          .context_close = context_close,
                                          .moves = moves,
                                          .print = print,
                                          .close = close };

model *veiled_model(mem *m, const lts *g, uint32_t key_words, uint64_t fail_at)
{
    veiled *v = calloc(1, sizeof *v);
    uint32_t *initial = calloc(key_words, sizeof *initial);
    if (v == NULL || initial == NULL) abort();
    v->base = (model){ .class = &veiled_class, .m = m, .key_words = key_words };
    v->base.labels = g->labels;
    v->base.initial = v->initial = initial;
    v->g = g;
    v->fail_at = fail_at;
    write_key(v, g->initial, initial);
    return &v->base;
}
