/*
 * algorithm.h - what a solver is.  Read this to write one; algorithms/alg_hello.c is the
 * smallest, and docs/ADDING_AN_ALGORITHM.md takes you through it.
 *
 * A sequential solver works on one block at a time.  It is asked for a vertex, explores what
 * it needs of its block, and enters values into the shared solution.  When it meets a
 * successor in a later block whose value is not known it says so and is called again when
 * it is: blocks call each other through the driver (resolution.h), never through the C stack.
 */
#ifndef BESPOKE_ALGORITHM_H
#define BESPOKE_ALGORITHM_H

#include "algorithms/solution.h"
#include "core/graph.h"
#include "core/progress.h"

/* What all solvers of a run share. */
typedef struct run {
    mem *m;
    const graph *g;
    const graph_block *blocks; /* of g, with the promises that hold in this run */
    solution *found;           /* values and choices of all blocks */
    progress *clock;           /* may be NULL */
} run;

/** The clock, memory that was not counted yet, and rows that failed.  0 or a code. */
int run_look_round(const run *r, err *e);

/** Called once per step of a solver; now and then, and where memory is to be counted, it looks
    round.  0 or a code. */
static inline int run_tick(const run *r, uint64_t step, err *e)
{
    enum { EVERY = 1 << 14 };
    const graph *g = r->g;
    bool due = g->met && graph_charge_is_due(
                             &r->found->charge, g,
                             (graph_use){ graph_stretches_used(g), GRAPH_ITEMS_ANY });
    return step % EVERY && !due ? 0 : run_look_round(r, e);
}

typedef enum {
    ALGORITHM_DONE,   /* the vertex asked for, and all that was explored, is stable */
    ALGORITHM_NEED,   /* the value of `*need`, a vertex of a later block, is wanted */
    ALGORITHM_FAILED, /* see the err */
    ALGORITHM_CYCLE   /* the block is not what was promised: solve it with another */
} algorithm_step;

typedef struct algorithm {
    const char *name; /* "a1" */
    const char *doc;  /* one line */
    /* May be NULL: it takes all.  Else NULL for a block that it can solve, or the reason why
       not, to follow "does not accept". */
    const char *(*refuses)(const graph_block *b);
    bool nested; /* it is asked about nested blocks too; others never see them */
    /* An instance for one block; called again and again, for one vertex at a time. */
    int (*open)(void **self, const run *r, uint32_t block, err *e);
    /* Begin with a vertex that is not stable; then run until it does not say NEED. */
    int (*ask)(void *self, vertex_id v, err *e);
    algorithm_step (*go_on)(void *self, vertex_id *need, err *e);
    void (*close)(void *self);
} algorithm;

/** NULL when it can solve the block, else the reason, to follow "does not accept". */
const char *algorithm_refuses(const algorithm *a, const graph_block *b);

/** By name, or NULL. */
const algorithm *algorithm_find(const char *name);
const algorithm *const *algorithm_list(size_t *count);

#endif
