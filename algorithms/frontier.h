/*
 * frontier.h - the queue of a breadth-first search that waits for no cache line.
 *
 * The queue knows what will be needed soon.  While a row is looked at, the bounds of the row
 * FETCH_BOUNDS places behind it are fetched, the successors of the one FETCH_ROW places
 * behind; the rows of the next AHEAD vertices are computed already and what is known of
 * their successors is on its way.  Each fetch finds what the one before brought.
 */
#ifndef BESPOKE_FRONTIER_H
#define BESPOKE_FRONTIER_H

#include "algorithms/dependencies.h"
#include "algorithms/solution.h"
#include "core/vec.h"

enum {
    FRONTIER_AHEAD = 4,
    FRONTIER_RING = 8, /* a power of two above AHEAD */
    FRONTIER_ROOM = 64,
    FRONTIER_FETCH_ROW = 8,
    FRONTIER_FETCH_BOUNDS = 16
};

/* A row, or a stretch of it. */
typedef struct frontier_row {
    graph_row row;
    vertex_id to[FRONTIER_ROOM];
} frontier_row;

typedef struct frontier {
    VEC(vertex_id) queue; /* found, in that order */
    size_t head;          /* the vertex whose row is looked at */
    size_t ahead;         /* rows of queue[head .. ahead-1] are in the ring */
    uint32_t at;          /* how many of its stretch are done */
    frontier_row ring[FRONTIER_RING];
} frontier;

static inline void frontier_release(frontier *f, mem *m) { vec_release(m, &f->queue); }

static inline void frontier_clear(frontier *f)
{
    f->queue.count = f->head = f->ahead = f->at = 0;
}

static inline bool frontier_is_empty(const frontier *f)
{
    return f->head == f->queue.count;
}

/** Room for what a stretch may find.  0 or ERR_LIMIT. */
static inline int frontier_reserve(frontier *f, mem *m, err *e)
{
    return vec_reserve(m, &f->queue, f->queue.count + FRONTIER_ROOM, e);
}

/* Fetch what is known of the successors in a row; `waiting` may be NULL. */
static inline void frontier_fetch(const frontier_row *r, const solution *s,
                                  const dependencies *waiting, const graph_block *b)
{
    for (uint32_t i = 0; i < r->row.count; i++) {
        __builtin_prefetch(&s->status[r->to[i]], 1);
        if (waiting && r->to[i] < b->end)
            dependencies_fetch(waiting, r->to[i] - b->begin);
    }
}

/** The row of the head, or the stretch of it where the search stands. */
static inline frontier_row *frontier_load(frontier *f, const graph *g, const solution *s,
                                          const dependencies *waiting,
                                          const graph_block *b)
{
    size_t head = f->head, count = f->queue.count;
    if (count - head > FRONTIER_FETCH_BOUNDS)
        graph_fetch(g, f->queue.at[head + FRONTIER_FETCH_BOUNDS], 0);
    if (count - head > FRONTIER_FETCH_ROW)
        graph_fetch(g, f->queue.at[head + FRONTIER_FETCH_ROW], 1);
    for (; f->ahead < count && f->ahead <= head + FRONTIER_AHEAD; f->ahead++) {
        frontier_row *r = &f->ring[f->ahead % FRONTIER_RING];
        graph_expand(g, f->queue.at[f->ahead], GRAPH_ROW_BEGIN, r->to, FRONTIER_ROOM,
                     &r->row);
        frontier_fetch(r, s, waiting, b);
    }
    return &f->ring[head % FRONTIER_RING];
}

/** The next stretch of the head's row; false when there is none. */
static inline bool frontier_more(frontier *f, const graph *g)
{
    frontier_row *r = &f->ring[f->head % FRONTIER_RING];
    f->at = 0;
    if (r->row.next == GRAPH_ROW_END) return false;
    graph_expand(g, f->queue.at[f->head], r->row.next, r->to, FRONTIER_ROOM, &r->row);
    return true;
}

/** The head is done with. */
static inline void frontier_advance(frontier *f)
{
    f->head++;
    f->at = 0;
}

#endif
