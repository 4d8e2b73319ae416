/*
 * graph_column.h - a column over vertex numbers of a graph: zeroed items, one per number.
 *
 * Where all numbers are in use it is plain memory of the account; else it is address space, of
 * which only what is written to costs, and whoever opened it charges the account for that.
 */
#ifndef BESPOKE_GRAPH_COLUMN_H
#define BESPOKE_GRAPH_COLUMN_H

#include "core/graph.h"

/* How a column is written to. */
typedef enum { GRAPH_COLUMN_DENSE, GRAPH_COLUMN_SCATTERED } graph_column_use;

/** For `vertices` numbers, whole stretches of `g`, of `item` bytes each.  NULL: ERR_LIMIT. */
void *graph_column_open(const graph *g, mem *m, vertex_id vertices, size_t item,
                        graph_column_use use, err *e);

/** The same numbers as before; NULL is accepted. */
void graph_column_close(const graph *g, mem *m, void *column, vertex_id vertices,
                        size_t item);

/* All numbers in use of begin .. end-1, whole stretches, are
       for (at = begin; at < end; at = graph_stretch_next(g, at, end))
           for (v = at; v < graph_stretch_end(g, at, end); v++) */
static inline vertex_id graph_stretch_end(const graph *g, vertex_id at, vertex_id end)
{
    return g->met ? at + *g->met : end;
}

static inline vertex_id graph_stretch_next(const graph *g, vertex_id at, vertex_id end)
{
    return g->met ? at + g->stride : end;
}

/* What is charged for the columns of a graph. */
typedef struct graph_charge {
    size_t bytes; /* on the account now */
} graph_charge;

/** So many items of `item` bytes are in use by now.  Nothing where the account knows anyway.
    0 or ERR_LIMIT. */
int graph_charge_to(graph_charge *c, const graph *g, mem *m, uint64_t items, size_t item,
                    err *e);
void graph_charge_close(graph_charge *c, mem *m);

#endif
