#include "tests/wide_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One word tells the state, others follow from it; words are odd multiples, so no two states
   have the same. */
static void scramble(const wide_model *w, state_id s, uint32_t *key)
{
    for (uint32_t i = 0; i < w->base.key_words; i++)
        key[i] = (s + 7 * i + 1) * (2654435761u + 2 * i);
}

/* The state whose first word this is: multiplied by the inverse, of odd numbers mod 2^32. */
static state_id state_of(const wide_model *w, const uint32_t *key)
{
    uint32_t factor = 2654435761u, inverse = factor, wanted[WIDE_MODEL_WORDS];
    for (int i = 0; i < 5; i++) inverse *= 2 - factor * inverse;
    state_id s = key[0] * inverse - 1;
    if (s >= w->g->states) abort(); /* nobody has such a key */
    scramble(w, s, wanted);
    if (memcmp(key, wanted, w->base.key_words * sizeof *key) != 0) abort();
    return s;
}

static int context_open(const model *s, void **out, err *e)
{
    wide_model *w = (wide_model *)(uintptr_t)s;
    *out = mem_get(s->m, 1, e);
    w->open_contexts += *out != NULL;
    return (int)e->code;
}

static void context_close(const model *s, void *context)
{
    wide_model *w = (wide_model *)(uintptr_t)s;
    w->open_contexts--;
    mem_put(s->m, context, 1);
}

static int add(const wide_model *w, uint64_t t, model_moves *out, err *e)
{
    uint32_t *key = model_moves_add(out, lts_label(w->g, t), e);
    if (key) scramble(w, w->g->target[t], key);
    return (int)e->code;
}

static int moves(const model *s, void *context, const uint32_t *key, model_moves *out,
                 err *e)
{
    wide_model *w = (wide_model *)(uintptr_t)s;
    state_id from = state_of(w, key);
    (void)context;
    atomic_fetch_add(&w->asked, 1);
    if (from == w->fails_at) return err_set(e, ERR_INPUT, "state %u fails", from);
    uint64_t first = w->g->first[from], end = w->g->first[from + 1];
    for (uint64_t t = first; t < end && e->code == ERR_NONE; t++) add(w, t, out, e);
    for (uint64_t t = first; w->doubles && t < end && e->code == ERR_NONE; t += 3)
        add(w, t, out, e);
    return (int)e->code;
}

static void print(const model *s, void *context, const uint32_t *key, char *into,
                  size_t bytes)
{
    (void)context;
    snprintf(into, bytes, "<%u>", state_of((const wide_model *)s, key));
}

static const model_class wide_class = { .name = "wide",
                                        .context_open = context_open,
                                        .context_close = context_close,
                                        .moves = moves,
                                        .print = print };

void wide_model_open(wide_model *w, const lts *g, uint32_t words)
{
    *w = (wide_model){ .g = g, .fails_at = STATE_NONE };
    w->base = (model){ .class = &wide_class, .m = g->m, .key_words = words };
    w->base.initial = w->initial;
    w->base.labels = g->labels;
    scramble(w, g->initial, w->initial);
}

model wide_model_explicit(const lts *g)
{
    return (model){
        .m = g->m, .key_words = 1, .initial = &g->initial, .labels = g->labels, .rows = g
    };
}
