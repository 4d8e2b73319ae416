/*
 * watch_graph.h - a graph that watches who expands it.
 *
 * It passes everything on to another graph and, when a vertex is expanded for the first time,
 * looks whether a path of vertices that are not stable leads to it from the vertex asked
 * for (requirement R2).  It can also tell lies about its blocks.
 */
#ifndef BESPOKE_WATCH_GRAPH_H
#define BESPOKE_WATCH_GRAPH_H

#include "algorithms/solution.h"

enum { WATCH_BLOCKS_MAX = 64 };

typedef struct watch_graph {
    graph base;                           /* first: the graph to hand on */
    graph_block blocks[WATCH_BLOCKS_MAX]; /* copied, so that a test may change them */
    const graph *inner;
    const solution *found; /* set it when the resolution is open */
    uint8_t *expanded;     /* per vertex */
    uint8_t *joined;       /* per vertex: scratch */
    vertex_id *stack;      /* scratch */
    uint64_t strays;       /* first expansions without such a path */
} watch_graph;

void watch_graph_open(watch_graph *w, const graph *inner);
void watch_graph_close(watch_graph *w);

#endif
