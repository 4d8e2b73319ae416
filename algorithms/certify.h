/*
 * certify.h - a proof checked against the graph it speaks of, by code that knows no solver.
 *
 * Vertices come one by one, in any order, from wherever they are kept; a vertex is looked at
 * together with its row and then forgotten but for a few bytes.  What must hold:
 *
 *   1. the vertex in question is in the proof, and no vertex is in it twice;
 *   2. a vertex for whose operator the value absorbs names one of its successors, which is
 *      in the proof; any other vertex has all its successors in it;
 *   3. along these edges, as long as they stay in their block, ranks keep to the rule of
 *      the vertex they leave.  Call a fixed point bad for the value if going round in it
 *      for ever proves nothing: the least for true, the greatest for false.
 *        a vertex of a bad fixed point: the rank falls;
 *        an inner vertex of a nested block whose outer fixed point is bad: it does not rise;
 *        any other: no rule.
 *
 * Then the value is right.  The edges that are kept are a strategy in the game that the graph
 * is, and a path along them either ends, where the equations give the value, or stays in one
 * block for ever and must be good there, that is: the outermost fixed point it meets again and
 * again is not bad.  In a plain block that is bad ranks would fall for ever.  In a nested one
 * with the bad one inside they would, if it met outer vertices finitely often; so it meets
 * them again and again, and the outer one is good.  With the bad one outside ranks never rise
 * and fall at every outer vertex; so it meets those finitely often, and the inner one is good.
 */
#ifndef BESPOKE_CERTIFY_H
#define BESPOKE_CERTIFY_H

#include "core/graph.h"

typedef struct certify certify;

/** For a graph and a claimed value.  5 bytes per vertex number of it in use.  0 or ERR_LIMIT. */
int certify_open(certify **out, mem *m, const graph *g, bool value, err *e);
void certify_close(certify *c);

/** First pass: the vertices and their ranks.  0, or ERR_REFUSED with what is wrong. */
int certify_enter(certify *c, vertex_id v, uint32_t rank, err *e);

/** Second pass: each vertex again, with its choice (VERTEX_NONE: all successors). */
int certify_check(certify *c, vertex_id v, vertex_id choice, err *e);

/** After both: is `root` proved to have the value?  0, or ERR_REFUSED. */
int certify_finish(certify *c, vertex_id root, err *e);

#endif
