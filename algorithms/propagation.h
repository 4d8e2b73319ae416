/*
 * propagation.h - values on their way back: what the general solvers a1 and a2 share.
 *
 * Invariant  pending[y] is the number of successors that y waits for.  A value that absorbs
 *            (true into an or, false into an and) settles y at once and is kept as its
 *            choice; a neutral one is one less to wait for; when y's whole row has been seen
 *            and nothing is pending, y is settled with the neutral value.
 */
#ifndef BESPOKE_PROPAGATION_H
#define BESPOKE_PROPAGATION_H

#include "algorithms/algorithm.h"
#include "algorithms/dependencies.h"
#include "core/vec.h"

/* The solver's own bits of a status. */
enum { PROPAGATION_AND = SOLUTION_OWN, PROPAGATION_ROW_DONE = SOLUTION_OWN << 1 };

typedef struct propagation {
    run r;
    graph_block block;
    uint32_t *pending;    /* per vertex of the block */
    dependencies waiting; /* per vertex of the block: who waits for it */
    VEC(vertex_id) fresh; /* settled, not yet told to those who wait */
    bool one_call; /* the block is asked for one vertex: then `visited` is not kept */
    VEC(vertex_id) visited; /* in this call */
} propagation;

int propagation_open(propagation *p, const run *r, uint32_t block, err *e);
void propagation_close(propagation *p);

/** The operator of a vertex, from its row; before anything else about it. */
static inline void propagation_operator(propagation *p, vertex_id v, graph_op op)
{
    if (op == GRAPH_AND) p->r.found->status[v] |= PROPAGATION_AND;
}

/** Successor z of y has a value.  0 or ERR_LIMIT. */
int propagation_apply(propagation *p, vertex_id y, vertex_id z, err *e);

/** These successors of y, vertices of the block, have none yet.  0 or ERR_LIMIT. */
static inline int propagation_wait(propagation *p, vertex_id y, const vertex_id *z,
                                   uint32_t count, err *e)
{
    vertex_id begin = p->block.begin;
    p->pending[y - begin] += count;
    return dependencies_add(&p->waiting, z, count, begin, y - begin, e);
}

/** The row of y has been seen to its end.  0 or ERR_LIMIT. */
int propagation_row_done(propagation *p, vertex_id y, err *e);

int propagation_tell_all(propagation *p, err *e);

/** Tell all who wait, until nothing new is settled.  0 or ERR_LIMIT. */
static inline int propagation_spread(propagation *p, err *e)
{
    return p->fresh.count == 0 ? 0 : propagation_tell_all(p, e);
}

/** A vertex is visited for the first time in this call.  0 or ERR_LIMIT. */
static inline int propagation_note(propagation *p, vertex_id v, err *e)
{
    return p->one_call ? 0 : vec_push(p->r.m, &p->visited, v, e);
}

/** Nothing more will come: what was visited and is not settled gets the value of the sign. */
void propagation_finish(propagation *p);

#endif
