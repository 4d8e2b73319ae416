/*
 * frontier.h - the queue of a breadth-first search that waits for no cache line.
 *
 * The queue knows what will be needed soon.  While a row is looked at, the bounds of the row
 * FETCH_BOUNDS places behind it are fetched, the successors of the one FETCH_ROW places
 * behind; the rows of the next AHEAD vertices are computed already and what is known of
 * their successors is on its way.  Each fetch finds what the one before brought.
 *
 * The queue is a circle: what was expanded makes room for what is found, so that it is as long
 * as the widest front of the search and not as the number of vertices.
 */
#ifndef BESPOKE_FRONTIER_H
#define BESPOKE_FRONTIER_H

#include "algorithms/dependencies.h"
#include "algorithms/solution.h"

#include <assert.h>

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
    vertex_id *queue; /* found, in that order: number i stands at i % room */
    size_t room;      /* 0 or a power of two */
    size_t head;      /* number of the vertex whose row is looked at */
    size_t tail;      /* number of the next one to be found */
    size_t ahead;     /* rows of vertices head .. ahead-1 are in the ring */
    uint32_t at;      /* how many of its stretch are done */
    frontier_row ring[FRONTIER_RING];
} frontier;

void frontier_release(frontier *f, mem *m);

/** Twice the room.  0 or ERR_LIMIT. */
int frontier_grow(frontier *f, mem *m, err *e);

static inline void frontier_clear(frontier *f)
{
    f->head = f->tail = f->ahead = f->at = 0;
}

static inline bool frontier_is_empty(const frontier *f) { return f->head == f->tail; }

static inline vertex_id frontier_get(const frontier *f, size_t number)
{
    return f->queue[number & (f->room - 1)];
}

/* There must be room: see frontier_reserve. */
static inline void frontier_put(frontier *f, vertex_id v)
{
    f->queue[f->tail++ & (f->room - 1)] = v;
}

/** Room for what a stretch may find.  0 or ERR_LIMIT. */
static inline int frontier_reserve(frontier *f, mem *m, err *e)
{
    return f->tail - f->head + FRONTIER_ROOM <= f->room ? 0 : frontier_grow(f, m, e);
}

/* Fetch what is known of the successors in a row; `waiting` may be NULL. */
static inline void frontier_fetch(const frontier_row *r, const solution *s,
                                  const dependencies *waiting, const graph_block *b)
{
    for (uint32_t i = 0; i < r->row.count; i++) {
        __builtin_prefetch(&s->status[r->to[i]]);
        if (waiting && r->to[i] < b->end)
            dependencies_fetch(waiting, r->to[i] - b->begin);
    }
}

/* What the rows of the next vertices are in is on its way. */
static inline void frontier_fetch_rows(const frontier *f, const graph *g)
{
    size_t count = f->tail - f->head;
    if (count > FRONTIER_FETCH_BOUNDS)
        graph_fetch(g, frontier_get(f, f->head + FRONTIER_FETCH_BOUNDS), 0);
    if (count > FRONTIER_FETCH_ROW)
        graph_fetch(g, frontier_get(f, f->head + FRONTIER_FETCH_ROW), 1);
}

/** One more row computed ahead, or NULL: far enough, or no vertex left. */
static inline frontier_row *frontier_look_ahead(frontier *f, const graph *g)
{
    assert(f->ahead >= f->head); /* no vertex is passed over */
    if (f->ahead == f->tail || f->ahead > f->head + FRONTIER_AHEAD) return NULL;
    frontier_row *r = &f->ring[f->ahead % FRONTIER_RING];
    graph_expand(g, frontier_get(f, f->ahead++), GRAPH_ROW_BEGIN, r->to, FRONTIER_ROOM,
                 &r->row);
    return r;
}

/** The row of the head, or the stretch of it where the search stands. */
static inline frontier_row *frontier_load(frontier *f, const graph *g, const solution *s,
                                          const dependencies *waiting,
                                          const graph_block *b)
{
    frontier_fetch_rows(f, g);
    for (frontier_row *r; (r = frontier_look_ahead(f, g));)
        frontier_fetch(r, s, waiting, b);
    return &f->ring[f->head % FRONTIER_RING];
}

/** The next stretch of the head's row; false when there is none. */
static inline bool frontier_more(frontier *f, const graph *g)
{
    frontier_row *r = &f->ring[f->head % FRONTIER_RING];
    f->at = 0;
    if (r->row.next == GRAPH_ROW_END) return false;
    graph_expand(g, frontier_get(f, f->head), r->row.next, r->to, FRONTIER_ROOM, &r->row);
    return true;
}

/** The head is done with. */
static inline void frontier_advance(frontier *f)
{
    f->head++;
    f->at = 0;
}

#endif
