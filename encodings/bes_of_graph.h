/*
 * bes_of_graph.h - a graph written down as a system of equations.
 */
#ifndef BESPOKE_BES_OF_GRAPH_H
#define BESPOKE_BES_OF_GRAPH_H

#include "core/graph.h"
#include "lang/bes.h"

/**
 * All that the root reaches, X0_0 being the root; variables of a block are numbered in the order
 * of a breadth-first search.  `clock` may be NULL.
 * 0; ERR_REFUSED when fixed points lie within each other, which such a system cannot say;
 * ERR_LIMIT.  On failure `out` is empty.
 */
int bes_of_graph(bes *out, mem *m, const graph *g, progress *clock, err *e);

#endif
