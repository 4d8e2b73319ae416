/*
 * mb_inner.h - a worker from inside: where links lead, and what its parts do; for mb_*.c alone.
 */
#ifndef BESPOKE_MB_INNER_H
#define BESPOKE_MB_INNER_H

#include "algorithms/mb_data.h"

static inline uint32_t mb_kind(uint32_t block, uint32_t what)
{
    return MB_PER_BLOCK * block + what;
}

static inline uint32_t mb_kind_further(const mb_worker *w, uint32_t what)
{
    return w->blocks > 1 ? MB_PER_BLOCK * w->blocks + what : MB_PER_BLOCK;
}

static inline uint32_t mb_ref(const mb_worker *w, vertex_id local)
{
    return w->part->origin + local;
}

static inline bool mb_is_stable(const mb_worker *w, vertex_id v)
{
    return (w->col.status[v] & MB_STABLE) != 0;
}

static inline bool mb_value(const mb_worker *w, vertex_id v)
{
    return (w->col.status[v] & MB_TRUE) != 0;
}

/* The value that settles it at once. */
static inline bool mb_absorbing(const mb_worker *w, const mb_block *b, vertex_id v)
{
    return b->init == ((w->col.status[v] & MB_ODD) != 0);
}

static inline bool mb_block_has(const mb_block *b, vertex_id local)
{
    return local - b->of.begin < b->of.end - b->of.begin;
}

static inline mb_block *mb_block_of(const mb_worker *w, vertex_id local)
{
    uint32_t k = 0;
    while (local >= w->block[k].of.end) k++;
    return &w->block[k];
}

static inline bool mb_is_home(const mb_home *h, vertex_id local)
{
    if (local >= h->share) return false;
    if (h->hard) return graph_part_thread(h->hard, local) == h->thread;
    return ((local >> h->shift) & h->mask) == h->thread;
}

/* Where a link leads: the owner, and a local number there (of a keyed part one of the block). */
typedef struct mb_place {
    worker_id owner;
    vertex_id local;
} mb_place;

static inline mb_place mb_place_of(const mb_worker *w, vertex_link to)
{
    const graph_part *p = w->part;
    if (!w->numbered)
        return to < p->share ? (mb_place){ w->part->self, to }
                             : (mb_place){ graph_part_owner(p, to), to - p->share };
    uint32_t rank = p->ranks == 1 ? 0 : graph_part_divide(to, p->share_inverse);
    vertex_id local = to - rank * p->share;
    uint32_t thread = w->home.hard ? graph_part_thread(p, local)
                                   : local >> w->home.shift & w->home.mask;
    return (mb_place){ rank * p->threads + thread, local };
}

/* Words of a request before the wire form: who asks, where that matters. */
static inline uint32_t mb_lead(const mb_block *b) { return b->direct ? 0 : 1; }

/* A reference that came from a worker, as a local number there. */
static inline vertex_id mb_local_at(const mb_worker *w, worker_id from, uint32_t ref)
{
    return w->numbered ? ref - from / w->part->threads * w->part->share : ref;
}

/* ---- mb_values.c --------------------------------------------------------------------------- */

/** A vertex of a block is met for the first time.  0 or ERR_LIMIT. */
int mb_visit(mb_worker *w, mb_block *b, vertex_id v, err *e);

/** Successor `ref` of `by` gave its value to own vertex x, which had not applied it.  `cross`: it lies in
    another block.  0 or ERR_LIMIT. */
int mb_apply(mb_worker *w, vertex_id x, bool value, worker_id by, uint32_t ref,
             bool cross, err *e);

/** The row of x is done: neutral, if nothing is pending. */
int mb_complete(mb_worker *w, mb_block *b, vertex_id x, err *e);

/** A vertex of another block asks for one of block b here.  0 or ERR_LIMIT. */
int mb_ask(mb_worker *w, mb_block *b, const mb_request *r, err *e);

/** Take up again what was put off. */
int mb_release(mb_worker *w, mb_block *b, bool accept, err *e);

/** The epoch of a block has ended: what is visited and unstable has its value. */
int mb_end_epoch(mb_worker *w, mb_block *b, err *e);

/* ---- mb_expand.c, mb_spread.c: slices of work; COMM_STEP_FULL: kept its place -------------- */

comm_step mb_expand(mb_worker *w, mb_block *b, uint32_t *budget, err *e);
comm_step mb_spread(mb_worker *w, mb_block *b, uint32_t *budget, err *e);

static inline bool mb_has_values(const mb_block *b)
{
    return b->told < b->fresh.count || b->answers.count > 0 || b->rising.count > 0;
}

/* ---- mb_receive.c -------------------------------------------------------------------------- */

comm_handler mb_on_find, mb_on_expand, mb_on_evaluate, mb_on_cross_expand,
    mb_on_cross_evaluate, mb_on_stop;

/* ---- mb_step.c ----------------------------------------------------------------------------- */

extern const comm_program mb_program;
int mb_announced(void *self, uint32_t channel, uint32_t epoch, err *e);

#endif
