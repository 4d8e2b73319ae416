/*
 * proof.h - why a vertex has its value: a graph of vertices that all have it.
 *
 * An or that is true, or an and that is false, keeps one successor; the others keep all.  It
 * is a proof if no cycle of kept edges is bad: within a mu-block for a true vertex, within a
 * nu-block for a false one; in a nested block it is the outer fixed point that counts, if the
 * cycle meets it, else the inner one.  Ranks show that, and whoever checks them looks at one
 * vertex at a time: along kept edges within a block they follow the rule of the vertex.
 */
#ifndef BESPOKE_PROOF_H
#define BESPOKE_PROOF_H

#include "algorithms/solution.h"
#include "core/vec.h"

typedef struct proof_vertex {
    vertex_id vertex;
    vertex_id choice; /* the one successor kept, or VERTEX_NONE: all are */
    uint32_t rank;    /* 0 where there is no rule */
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

/* What the rank does along kept edges that stay in the block. */
typedef enum { PROOF_FREE, PROOF_NOT_RISE, PROOF_FALL } proof_rule;

/** The rule of a vertex of the block, in a proof of this value. */
static inline proof_rule proof_rule_of(const graph_block *b, vertex_id v, bool value)
{
    bool bad_outside = (b->sign == GRAPH_MU) == value;
    if (graph_is_outer(b, v)) return bad_outside ? PROOF_FALL : PROOF_FREE;
    return bad_outside ? PROOF_NOT_RISE : PROOF_FALL;
}

#endif
