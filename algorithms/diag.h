/*
 * diag.h - the proof tree of least height, after a solver has found some proof.
 *
 * A proof is a tree where cycles are forbidden in it (or a graph that unfolds into one): of a
 * true vertex in mu-blocks, of a false one in nu-blocks.  The tree ends at vertices without
 * successors, and at vertices of other blocks, nested ones among them, whatever their proof is.
 * Its height is the length of the longest way from the root to such a leaf.  That is not
 * the depth of a proof (proof.h), which is the greatest distance.
 */
#ifndef BESPOKE_DIAG_H
#define BESPOKE_DIAG_H

#include "algorithms/algorithm.h"

typedef struct diag_result {
    bool tree; /* the vertex lies where proofs are trees; if not, nothing was done */
    uint32_t before; /* height of the proof that was there */
    uint32_t height; /* of the proof there is now; no tree is lower */
} diag_result;

/**
 * Enter into the solution the choices of a lowest tree for `x`, which is stable, with choices
 * kept; proof_open then walks it.  Values stay as they are; vertices that had none may get
 * theirs.  A vertex without a value in a block where cycles are harmless is not used: a
 * tree that needs more solving is not found.
 * Linear in what lies within `before` of x; 8 bytes per vertex number of the graph.
 * 0 or ERR_LIMIT: values and choices are then still right, but the tree may be as before.
 */
int diag_shorten(const run *r, vertex_id x, diag_result *out, err *e);

#endif
