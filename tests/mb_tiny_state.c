/*
 * mb_tiny_state - a tiny world as bytes, and back.
 *
 * One pass serves both ways.  What means the same gets the same bytes: queues from their heads on, logs
 * as who waits for whom, in order.  What only counts (statistics, but for exhaustive runs, whose
 * figures must agree) is not part of the world and is made zero.
 */
#include "tests/mb_tiny_world.h"

#include <stdlib.h>

typedef struct tape {
    uint8_t *at, *end;
    bool loading;
} tape;

static void bytes(tape *t, void *p, size_t n)
{
    if ((size_t)(t->end - t->at) < n) abort();
    if (t->loading) memcpy(p, t->at, n);
    else memcpy(t->at, p, n);
    t->at += n;
}

#define ITEM(t, x) bytes((t), &(x), sizeof(x))

static uint32_t number(tape *t, size_t n)
{
    uint16_t x = (uint16_t)n;
    ITEM(t, x);
    return x;
}

/* What is left of an array from `from` on, which becomes its beginning. */
#define ARRAY(t, m, v, from)                                              \
    do {                                                                  \
        size_t from_ = (t)->loading ? 0 : (from);                         \
        uint32_t n_ = number((t), (t)->loading ? 0 : (v)->count - from_); \
        err e_ = ERR_INIT;                                                \
        if ((t)->loading) {                                               \
            if (vec_reserve((m), (v), n_, &e_) != 0) abort();             \
            (v)->count = n_;                                              \
        }                                                                 \
        if (n_ > 0) bytes((t), (v)->at + from_, n_ * sizeof *(v)->at);    \
    } while (0)

/* ---- a block -------------------------------------------------------------------------------- */

static void search_queue(tape *t, frontier *f, mem *m)
{
    err e = ERR_INIT;
    uint32_t n = number(t, f->tail - f->head);
    if (t->loading) {
        frontier_clear(f);
        if (f->room < n + FRONTIER_ROOM && frontier_grow(f, m, &e) != 0) abort();
        if (f->room < n) abort();
        f->tail = n;
    }
    for (size_t i = f->head; i < f->tail; i++) {
        vertex_id v = t->loading ? 0 : frontier_get(f, i);
        ITEM(t, v);
        if (t->loading) f->queue[i & (f->room - 1)] = v;
    }
    uint8_t at = (uint8_t)f->at; /* rows are short: one stretch each */
    ITEM(t, at);
    f->at = at;
}

static void block(tape *t, mb_block *b, mem *m)
{
    search_queue(t, &b->search, m);
    ITEM(t, b->closed);
    ITEM(t, b->taken);
    ITEM(t, b->row_begun);
    ITEM(t, b->row_inner);
    ITEM(t, b->place);
    ITEM(t, b->entry);
    ARRAY(t, m, &b->visited, b->settled);
    ARRAY(t, m, &b->fresh, b->told);
    if (t->loading) b->settled = b->told = 0;
    ARRAY(t, m, &b->rising, 0);
    ARRAY(t, m, &b->answers, 0);
    ARRAY(t, m, &b->put_off, 0);
    ITEM(t, b->expected);
    ITEM(t, b->wanted);
}

/* ---- who waits for whom --------------------------------------------------------------------- */

enum { WAIT_MOST = 64 };

static void own_dependents(tape *t, mb_worker *w, vertex_id v)
{
    uint32_t who[WAIT_MOST], n = 0;
    dependencies *d = &w->own;
    for (uint32_t p = t->loading ? 0 : d->head[v], name; p; p = d->log[p]) {
        for (name = p; !(d->log[name] & DEPENDENCIES_NAME);) name--;
        who[n++] = d->log[name] & ~DEPENDENCIES_NAME;
    }
    n = number(t, n);
    bytes(t, who, n * sizeof *who);
    err e = ERR_INIT;
    for (uint32_t i = n; t->loading && i > 0; i--)
        if (dependencies_add(d, &v, 1, 0, who[i - 1], &e) != 0) abort();
}

static void other_dependents(tape *t, mb_worker *w, vertex_id v)
{
    mb_caller who[WAIT_MOST];
    mb_callers *c = &w->others;
    uint32_t n = 0, head = c->log.head[v];
    for (mb_caller x; !t->loading && mb_callers_look(c, v, &x);) {
        who[n++] = x;
        mb_callers_drop(c, v);
    }
    c->log.head[v] = t->loading ? 0 : head;
    n = number(t, n);
    bytes(t, who, n * sizeof *who);
    err e = ERR_INIT;
    for (uint32_t i = n; t->loading && i > 0; i--)
        if (mb_callers_add(c, v, who[i - 1], &e) != 0) abort();
}

static void dependents(tape *t, mb_worker *w)
{
    if (t->loading) {
        w->own.count = 1;
        w->own.named = w->own.run = 0;
        w->others.log.count = 1;
        w->others.log.named = w->others.log.run = 0;
        w->others.stretches.count = 0;
        memset(w->col.waiting, 0, w->part->share * sizeof *w->col.waiting);
        memset(w->col.calling, 0, w->part->share * sizeof *w->col.calling);
    }
    for (vertex_id v = 0; v < w->part->share; v++) {
        own_dependents(t, w, v);
        other_dependents(t, w, v);
    }
}

/* ---- a worker and its end -------------------------------------------------------------------- */

static void statistics(tape *t, mb_worker *w)
{
    if (w->exhaustive) {
        ITEM(t, w->seen);
        ITEM(t, w->edges);
        ITEM(t, w->stable);
    } else w->seen = w->edges = w->stable = 0;
    w->cross_edges = w->steps = 0;
}

static void columns(tape *t, mb_columns *c, vertex_id share)
{
    bytes(t, c->status, share);
    if (c->pending) bytes(t, c->pending, share * sizeof *c->pending);
    if (c->choice) bytes(t, c->choice, share * sizeof *c->choice);
    if (c->chooser) bytes(t, c->chooser, share * sizeof *c->chooser);
}

static void worker(tape *t, mb_worker *w)
{
    columns(t, &w->col, w->part->share);
    if (w->col.waiting) dependents(t, w);
    for (uint32_t k = 0; k < w->blocks; k++) block(t, &w->block[k], w->m);
    ITEM(t, w->over);
    ITEM(t, w->stopped);
    ITEM(t, w->adding);
    ITEM(t, w->announced);
    statistics(t, w);
}

static void end(tape *t, comm_net *n, tiny_end *c)
{
    const comm_config *f = &n->config;
    ITEM(t, c->open);
    ITEM(t, c->polled);
    ITEM(t, c->done);
    ITEM(t, c->leaving);
    ITEM(t, c->left);
    for (uint32_t k = 0; k < f->channels; k++) {
        tiny_channel *h = &c->channel[k];
        if (!t->loading && !h->told.passive) /* then nothing else of it matters */
            h->told = (dtd_figures){ .passive = false };
        ITEM(t, *h);
    }
    ITEM(t, c->sum);
    bytes(t, c->detector, dtd_bytes(f->detector, f->workers, c->self, f->channels));
}

static void whole(tape *t, comm_net *n)
{
    mb_session *s = n->input;
    for (worker_id w = 0; w < n->config.workers; w++) {
        tiny_end *c = &n->end[w];
        mb_worker *x = &s->worker[w];
        end(t, n, c);
        worker(t, x);
        if (t->loading) {
            c->user = x;
            x->c = &c->face;
        }
    }
    ITEM(t, n->data_count);
    bytes(t, n->data, n->data_count * sizeof n->data[0]);
    ITEM(t, n->letter_count);
    bytes(t, n->letter, n->letter_count * sizeof n->letter[0]);
}

size_t mb_tiny_save(comm_net *n, uint8_t *into)
{
    tape t = { .at = into, .end = into + TINY_STATE };
    whole(&t, n);
    return (size_t)(t.at - into);
}

void mb_tiny_load(comm_net *n, const uint8_t *from)
{
    tape t = { .at = (uint8_t *)(uintptr_t)from,
               .end = (uint8_t *)(uintptr_t)from + TINY_STATE,
               .loading = true };
    whole(&t, n);
    n->wrong = NULL;
    n->e.code = ERR_NONE;
}
