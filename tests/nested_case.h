/*
 * nested_case.h - small random graphs with nested blocks, and their values by definition.
 */
#ifndef BESPOKE_NESTED_CASE_H
#define BESPOKE_NESTED_CASE_H

#include "core/graph.h"

enum { NESTED_VERTICES = 32, NESTED_DEGREE = 4, NESTED_BLOCKS = 4 };

typedef struct nested_case {
    graph base; /* first: the graph to hand on; its root is any vertex of block 0 */
    graph_block blocks[NESTED_BLOCKS];
    graph_op op[NESTED_VERTICES];
    uint32_t degree[NESTED_VERTICES];
    vertex_id to[NESTED_VERTICES][NESTED_DEGREE];
    uint8_t right[NESTED_VERTICES]; /* the values */
} nested_case;

/**
 * Blocks of all kinds that have a solver: plain ones, general, disjunctive or conjunctive;
 * nested ones, disjunctive (buchi) or conjunctive (cobuchi); pure or not.  At most `most`
 * vertices.
 */
void nested_case_make(nested_case *c, uint64_t seed, vertex_id most);

/** Fill `right`, from the definition: the inner fixed point anew for each outer step. */
void nested_case_solve(nested_case *c);

#endif
