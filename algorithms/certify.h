/*
 * certify.h - a proof checked against the graph it speaks of, by code that knows no solver.
 *
 * Vertices come one by one, in any order, from wherever they are kept; a vertex is looked at
 * together with its row and then forgotten but for a few bytes.  What must hold:
 *
 *   1. the vertex in question is in the proof, and no vertex is in it twice;
 *   2. a vertex for whose operator the value absorbs names one of its successors, which is
 *      in the proof; any other vertex has all its successors in it;
 *   3. within a mu-block (value true) or a nu-block (value false) ranks fall along these
 *      edges.
 *
 * Then the value is right: where 3 applies, follow the edges and the ranks end; everywhere
 * else the vertices of the proof are a fixed point of their block's equations, and a
 * greatest one contains it, a least one's complement does.
 */
#ifndef BESPOKE_CERTIFY_H
#define BESPOKE_CERTIFY_H

#include "core/graph.h"

typedef struct certify certify;

/** For a graph and a claimed value.  8 bytes per vertex number of it.  0 or ERR_LIMIT. */
int certify_open(certify **out, mem *m, const graph *g, bool value, err *e);
void certify_close(certify *c);

/** First pass: the vertices and their ranks.  0, or ERR_REFUSED with what is wrong. */
int certify_enter(certify *c, vertex_id v, uint32_t rank, err *e);

/** Second pass: each vertex again, with its choice (VERTEX_NONE: all successors). */
int certify_check(certify *c, vertex_id v, vertex_id choice, err *e);

/** After both: is `root` proved to have the value?  0, or ERR_REFUSED. */
int certify_finish(certify *c, vertex_id root, err *e);

#endif
