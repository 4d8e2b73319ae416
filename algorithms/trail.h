/*
 * trail.h - the path of a depth-first search, without the C stack.
 *
 * A step is a vertex and the place in its row where the search will go on: nine bytes.  The
 * row itself is not kept: a stretch of it is fetched again when the search comes back.
 */
#ifndef BESPOKE_TRAIL_H
#define BESPOKE_TRAIL_H

#include "core/graph.h"
#include "core/vec.h"

enum { TRAIL_STRETCH = 16 };

typedef struct trail {
    VEC(vertex_id) vertex;
    VEC(graph_place) place; /* where the stretch begins */
    VEC(uint8_t) index;     /* how many of the stretch are done */
    size_t loaded;          /* length of the path whose last row is in `row`; 0 = none */
    graph_row row;
    vertex_id stretch[TRAIL_STRETCH];
} trail;

void trail_release(trail *t, mem *m);

/** Go to a vertex, to the beginning of its row.  0 or ERR_LIMIT. */
int trail_push(trail *t, mem *m, vertex_id v, err *e);

static inline void trail_pop(trail *t)
{
    t->vertex.count--, t->place.count--, t->index.count--;
}

static inline bool trail_is_empty(const trail *t) { return t->vertex.count == 0; }

static inline vertex_id trail_top(const trail *t)
{
    return t->vertex.at[t->vertex.count - 1];
}

/** Make the row of the top present; its operator is in t->row.op afterwards. */
void trail_load(trail *t, const graph *g);

/** The successor of the top where the search stands; false when none is left. */
bool trail_look(trail *t, const graph *g, vertex_id *out);

/** That successor is done. */
static inline void trail_advance(trail *t) { t->index.at[t->index.count - 1]++; }

/** Back to the beginning of the top's row. */
void trail_rewind(trail *t);

#endif
