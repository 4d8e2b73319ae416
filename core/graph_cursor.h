/*
 * graph_cursor.h - a row successor by successor, for whoever walks a graph without hurry.
 *
 *     graph_cursor c;
 *     graph_cursor_open(&c, g, v);                 now c.row.op is the operator
 *     while (graph_cursor_next(&c, &z)) ...
 */
#ifndef BESPOKE_GRAPH_CURSOR_H
#define BESPOKE_GRAPH_CURSOR_H

#include "core/graph.h"

typedef struct graph_cursor {
    const graph *g;
    vertex_id v;
    uint32_t at;   /* how many of the stretch are done */
    graph_row row; /* of the stretch */
    vertex_id to[64];
} graph_cursor;

static inline void graph_cursor_open(graph_cursor *c, const graph *g, vertex_id v)
{
    c->g = g, c->v = v, c->at = 0;
    graph_expand(g, v, GRAPH_ROW_BEGIN, c->to, sizeof c->to / sizeof *c->to, &c->row);
}

static inline bool graph_cursor_next(graph_cursor *c, vertex_id *out)
{
    while (c->at == c->row.count) {
        if (c->row.next == GRAPH_ROW_END) return false;
        c->at = 0;
        graph_expand(c->g, c->v, c->row.next, c->to, sizeof c->to / sizeof *c->to,
                     &c->row);
    }
    *out = c->to[c->at++];
    return true;
}

#endif
