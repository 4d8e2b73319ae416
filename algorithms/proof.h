/*
 * proof.h - why a vertex has its value: a graph of vertices that all have it.
 *
 * An or that is true, or an and that is false, keeps one successor; the others keep all.  It
 * is a proof if no cycle of kept edges lies within mu-blocks for a true vertex, within
 * nu-blocks for a false one.  A rank shows that: it falls along every kept edge within such
 * a block, so that whoever checks the proof looks at one vertex at a time.
 */
#ifndef BESPOKE_PROOF_H
#define BESPOKE_PROOF_H

#include "algorithms/solution.h"
#include "core/vec.h"

typedef struct proof_vertex {
    vertex_id vertex;
    vertex_id choice; /* the one successor kept, or VERTEX_NONE: all are */
    uint32_t rank;    /* 0 in blocks where cycles are harmless */
} proof_vertex;

typedef struct proof {
    mem *m;
    bool value;                 /* of all its vertices */
    uint32_t depth;             /* greatest distance from the first vertex */
    VEC(proof_vertex) vertices; /* breadth-first; the first is what is proved */
    VEC(uint64_t) first;        /* edges of vertex i: edge[first[i] .. first[i+1]-1] */
    VEC(uint32_t) edge;         /* positions in `vertices` */
} proof;

/**
 * Walk the proof of `v`, which is stable in `s`; choices must have been kept.
 * Linear in the proof, 4 bytes per vertex number of the graph.  0 or ERR_LIMIT.
 */
int proof_open(proof *p, mem *m, const graph *g, const solution *s, vertex_id v, err *e);
void proof_close(proof *p);

/** Is a cycle in a block of this sign forbidden in a proof of this value? */
static inline bool proof_needs_rank(graph_sign sign, bool value)
{
    return (sign == GRAPH_MU) == value;
}

#endif
