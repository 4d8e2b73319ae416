#include "models/lts_model.h"

#include <stdio.h>
#include <string.h>

typedef struct lts_model {
    model base;
    lts g;          /* owned */
    uint32_t first; /* the key of the initial state */
    char *path;     /* owned, or NULL */
    const char *files[1];
} lts_model;

static int context_open(const model *s, void **out, err *e)
{
    (void)e;
    *out = (void *)(size_t)s; /* nothing is needed; not NULL */
    return 0;
}

static void context_close(const model *s, void *context) { (void)s, (void)context; }

static int moves(const model *s, void *context, const uint32_t *key, model_moves *out,
                 err *e)
{
    (void)context;
    lts_row row = lts_row_of(s->rows, key[0]);
    for (uint32_t i = 0; i < row.count; i++) {
        uint32_t *to = model_moves_add(out, lts_row_label(&row, i), e);
        if (to == NULL) return (int)e->code;
        *to = row.target[i];
    }
    return 0;
}

static void print(const model *s, void *context, const uint32_t *key, char *into,
                  size_t bytes)
{
    (void)s, (void)context;
    snprintf(into, bytes, "%u", key[0]);
}

static void close_model(model *s)
{
    lts_model *x = (lts_model *)s;
    mem *m = s->m;
    if (x->path) mem_put(m, x->path, strlen(x->path) + 1);
    lts_close(&x->g);
    mem_put(m, x, sizeof *x);
}

static const model_class explicit_lts = { .name = "lts",
                                          .context_open = context_open,
                                          .context_close = context_close,
                                          .moves = moves,
                                          .print = print,
                                          .close = close_model };

static int keep_path(lts_model *x, const char *path, err *e)
{
    if (path == NULL) return 0;
    x->path = mem_get(x->base.m, strlen(path) + 1, e);
    if (x->path == NULL) return (int)e->code;
    strcpy(x->path, path);
    x->files[0] = x->path;
    x->base.file_count = 1;
    return 0;
}

/* A row must have a count of 32 bits. */
static int check_rows(const lts *g, err *e)
{
    if (g->transitions <= UINT32_MAX || lts_longest_row(g) <= UINT32_MAX) return 0;
    return err_set(e, ERR_LIMIT, "a state has %llu transitions; expected less than 2^32",
                   (unsigned long long)lts_longest_row(g));
}

int lts_model_open(model **out, lts *take, const char *path, err *e)
{
    mem *m = take->m;
    lts_model *x = check_rows(take, e) == 0 ? mem_get(m, sizeof *x, e) : NULL;
    if (x == NULL) {
        lts_close(take);
        return (int)e->code;
    }
    x->g = *take;
    *take = (lts){ .m = m };
    x->first = x->g.initial;
    x->base = (model){ .class = &explicit_lts,
                       .m = m,
                       .key_words = 1,
                       .initial = &x->first,
                       .labels = x->g.labels,
                       .rows = &x->g,
                       .files = x->files };
    if (keep_path(x, path, e) == 0) {
        *out = &x->base;
        return 0;
    }
    model_close(&x->base);
    return (int)e->code;
}
