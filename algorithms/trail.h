/*
 * trail.h - the path of a depth-first search, without the C stack.
 *
 * A step is a vertex and the place in its row where the search will go on: nine bytes.  Rows
 * are not kept, but for those near the top; others are computed again when the search comes
 * back.  On the long way back they are there in time: the trail knows what will be on top.
 */
#ifndef BESPOKE_TRAIL_H
#define BESPOKE_TRAIL_H

#include "core/graph.h"
#include "core/vec.h"

enum {
    TRAIL_STRETCH = 16,
    TRAIL_ROWS = 16, /* that are kept */
    TRAIL_AHEAD = 3, /* this far below the top a row is computed before it is needed, */
    TRAIL_FETCH_ROW = 6,    /*   its successors fetched, */
    TRAIL_FETCH_BOUNDS = 12 /*   its bounds fetched */
};

typedef struct trail_row {
    size_t depth;      /* whose: vertex[depth - 1]; 0 = nobody's */
    graph_place place; /* where it begins */
    graph_row row;
    vertex_id to[TRAIL_STRETCH];
} trail_row;

/* Columns of the solver: what it will ask of the successors in a row. */
typedef struct trail_columns {
    const uint8_t *status;  /* per vertex; NULL = nothing is fetched */
    const uint32_t *column; /* per vertex of the block; may be NULL */
    vertex_id begin, end;   /* of the block */
} trail_columns;

typedef struct trail {
    mem *m;         /* borrowed */
    const graph *g; /* borrowed */
    VEC(vertex_id) vertex;
    VEC(graph_place) place; /* where the stretch begins */
    VEC(uint8_t) index;     /* how many of the stretch are done */
    trail_columns fetched;
    trail_row rows[TRAIL_ROWS];
} trail;

void trail_open(trail *t, mem *m, const graph *g, trail_columns fetched);
void trail_close(trail *t);
void trail_clear(trail *t);

/** Go to a vertex, to the beginning of its row.  0 or ERR_LIMIT. */
int trail_push(trail *t, vertex_id v, err *e);

/** Go back.  Memory of a trail that has become short is given back. */
void trail_pop(trail *t);

/** Go back, and further: no row will be asked for before the next push. */
static inline void trail_drop(trail *t)
{
    t->vertex.count--, t->place.count--, t->index.count--;
}

static inline bool trail_is_empty(const trail *t) { return t->vertex.count == 0; }

static inline vertex_id trail_top(const trail *t)
{
    return t->vertex.at[t->vertex.count - 1];
}

/** The row of the top, as far as it is present; trail_load makes it so. */
static inline trail_row *trail_row_of_top(trail *t)
{
    return &t->rows[t->vertex.count % TRAIL_ROWS];
}

/** Make the row of the top present and tell its operator. */
graph_op trail_load(trail *t);

/** The successor of the top where the search stands; false when none is left. */
bool trail_look(trail *t, vertex_id *out);

/** That successor is done. */
static inline void trail_advance(trail *t) { t->index.at[t->index.count - 1]++; }

/** Back to the beginning of the top's row. */
void trail_rewind(trail *t);

#endif
