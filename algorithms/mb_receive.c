/*
 * mb_receive - what arrives is entered into the worker's own structures; nothing is sent here.
 *
 * Requests and answers of another worker come in batches.  What is known of the vertices they speak of
 * is fetched for a stretch of them before the first is looked at.
 */
#include "algorithms/mb_inner.h"

enum { STRETCH = 64 };

static int damaged(const mb_worker *w, worker_id from, uint32_t number, err *e)
{
    return err_set(e, ERR_SYSTEM, "worker %u: damaged message from worker %u: vertex %u",
                   w->part->self, from, number);
}

/* Is this number one of mine, as far as can be told? */
static inline bool is_mine(const mb_worker *w, vertex_id local)
{
    return mb_is_home(&w->home, local);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* The vertices that `count` requests are for. */
static int find_targets(mb_worker *w, worker_id from, const uint32_t *at, size_t words,
                        uint32_t count, vertex_id *to, err *e)
{
    if (!w->numbered)
        return w->part->class->unpack((graph_part *)(uintptr_t)w->part, at,
                                      words * sizeof *at, count, to, e);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = at[i * words] - w->part->origin;
        if (!is_mine(w, to[i])) return damaged(w, from, to[i], e);
        __builtin_prefetch(&w->col.status[to[i]], 1);
        if (w->col.calling) __builtin_prefetch(&w->col.calling[to[i]], 1);
    }
    return 0;
}

typedef int take_request(mb_worker *w, const mb_request *r, err *e);

/* Stretch by stretch; when all is over nobody wants to know.  `lead`: words before the wire form. */
static inline int take_requests(mb_worker *w, worker_id from, const uint32_t *at,
                                size_t count, uint32_t lead, take_request *take, err *e)
{
    size_t words = lead + w->part->wire_words;
    vertex_id to[STRETCH];
    while (count > 0 && !w->over) {
        uint32_t n = count < STRETCH ? (uint32_t)count : STRETCH;
        if (find_targets(w, from, at + lead, words, n, to, e) != 0) return (int)e->code;
        for (uint32_t i = 0; i < n; i++, at += words) {
            mb_request r = { lead ? at[0] : 0, from, to[i] };
            if (take(w, &r, e) != 0) return (int)e->code;
        }
        count -= n;
    }
    return 0;
}

/* The first to ask is the parent; a value that is known by now he will be told, or the entry is. */
static int find_child(mb_worker *w, mb_block *b, const mb_request *r, err *e)
{
    w->col.choice[r->vertex] = r->ref;
    if (w->col.chooser) w->col.chooser[r->vertex] = (uint16_t)r->from;
    return mb_visit(w, b, r->vertex, e);
}

static int take_inner(mb_worker *w, const mb_request *r, err *e)
{
    mb_block *b = mb_block_of(w, r->vertex);
    uint8_t status = w->col.status[r->vertex];
    if (b->parents) return status & MB_SEEN ? 0 : find_child(w, b, r, e);
    if (status & MB_STABLE) return vec_push(w->m, &b->answers, *r, e);
    if (!(status & MB_SEEN) && mb_visit(w, b, r->vertex, e) != 0) return (int)e->code;
    return mb_callers_add(&w->others, r->vertex, (mb_caller){ r->from, r->ref }, e);
}

static int take_cross(mb_worker *w, const mb_request *r, err *e)
{
    return mb_ask(w, mb_block_of(w, r->vertex), r, e);
}

/* In a block whose root is told directly. */
static int find(mb_worker *w, const mb_request *r, err *e)
{
    if (w->col.status[r->vertex] & MB_SEEN) return 0;
    return mb_visit(w, w->block, r->vertex, e);
}

int mb_on_find(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return take_requests(self, from, messages, count, 0, find, e);
}

int mb_on_expand(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return take_requests(self, from, messages, count, 1, take_inner, e);
}

int mb_on_cross_expand(void *self, worker_id from, const void *messages, size_t count,
                       err *e)
{
    return take_requests(self, from, messages, count, 1, take_cross, e);
}

/* ---- answers ------------------------------------------------------------------------------- */

static int take_answers(mb_worker *w, worker_id from, const uint32_t *at, size_t count,
                        bool cross, err *e)
{
    for (size_t i = 0; i < count && !w->over; i++, at += 2) {
        vertex_id x = (at[0] & ~MB_VALUE) - w->part->origin;
        if (!is_mine(w, x)) return damaged(w, from, x, e);
        if (mb_apply(w, x, (at[0] & MB_VALUE) != 0, from, at[1], cross, e) != 0)
            return (int)e->code;
    }
    return 0;
}

int mb_on_evaluate(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return take_answers(self, from, messages, count, false, e);
}

int mb_on_cross_evaluate(void *self, worker_id from, const void *messages, size_t count,
                         err *e)
{
    return take_answers(self, from, messages, count, true, e);
}

int mb_on_stop(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    mb_worker *w = self;
    (void)from, (void)messages, (void)count, (void)e;
    w->over = true;
    return 0;
}
