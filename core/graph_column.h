/*
 * graph_column.h - a column over vertex numbers of a graph: zeroed items, one per number.
 *
 * Where all numbers are in use it is plain memory of the account; else it is address space, of
 * which only pages that are written to cost, and whoever opened it charges the account.
 * What is charged is a bound: one vertex in a thousand touches every page, so a stretch that a
 * row has led to counts as far as its numbers are in use, whoever of them was visited.
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

/* How many stretches may have been written to by those who follow rows. */
static inline uint32_t graph_stretches_used(const graph *g)
{
    return g->used ? *g->used : g->vertices / g->stride;
}

/* What is charged for the columns of a graph. */
typedef struct graph_charge {
    size_t bytes;       /* on the account now, */
    uint32_t met;       /*   enough for so many numbers of a stretch */
    uint32_t stretches; /*   and so many stretches, */
    uint64_t items;     /*   or for so many numbers, wherever they are */
    size_t item;        /* bytes per number, of all columns; and of the widest one */
    size_t widest;
    size_t columns;
} graph_charge;

/** One more column, of `item` bytes per number. */
static inline void graph_charge_add(graph_charge *c, size_t item)
{
    c->item += item;
    c->columns++;
    if (c->widest < item) c->widest = item;
    c->met = 0, c->items = 0; /* so that it is due */
}

/* What is in use. */
typedef struct graph_use {
    uint32_t stretches; /* that were written to */
    uint64_t
        items; /* numbers that were, if all columns are scattered; else GRAPH_ITEMS_ANY */
} graph_use;

#define GRAPH_ITEMS_ANY UINT64_MAX

static inline bool graph_charge_is_due(const graph_charge *c, const graph *g, graph_use u)
{
    return (*g->met > c->met || u.stretches > c->stretches) && u.items > c->items;
}

/** Charge for all this, and somewhat ahead.  0 or ERR_LIMIT. */
int graph_charge_to(graph_charge *c, const graph *g, mem *m, graph_use u, err *e);
void graph_charge_close(graph_charge *c, mem *m);

/** As often as rows are asked for: charge for stretches that rows led to, if it is due.
    Nothing where the account knows anyway.  0 or ERR_LIMIT. */
static inline int graph_charge_look(graph_charge *c, const graph *g, mem *m,
                                    uint64_t items, err *e)
{
    if (g->met == NULL) return 0;
    graph_use u = { graph_stretches_used(g), items };
    return graph_charge_is_due(c, g, u) ? graph_charge_to(c, g, m, u, e) : 0;
}

#endif
