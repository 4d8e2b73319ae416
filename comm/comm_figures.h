/*
 * comm_figures.h - what a run shows of itself while it works: figures of its workers, added up.
 *
 * A worker writes its figures whenever it likes (states explored, frontier, bytes); they are not
 * sums over time but what is true now.  Once in a period they go towards worker 0 along the tree, each
 * with those of all below, so it costs a letter per worker and period and nobody waits.
 */
#ifndef BESPOKE_COMM_FIGURES_H
#define BESPOKE_COMM_FIGURES_H

#include "comm/comm.h"

enum {
    COMM_TREE_ARITY = 4,                  /* workers right below one */
    COMM_FIGURES_OWN = 6,                 /* for the algorithm */
    COMM_FIGURES_SENT = COMM_FIGURES_OWN, /* messages so far: filled in here */
    COMM_FIGURES_COUNT
};

/* Those of this worker, COMM_FIGURES_OWN of them, 0 at first; its thread writes them. */
uint64_t *comm_figures(comm *c);

/* ---- for comm_run ------------------------------------------------------------------------- */

/** If a period has passed since the last time and those below have told theirs (or another period
    has): send them on.  `now` and `period` in nanoseconds; never by worker 0. */
void comm_figures_tell(comm *c, uint64_t now, uint64_t period);

/* One of them with what is known of all below: in worker 0, of all workers. */
uint64_t comm_figures_below(const comm *c, uint32_t which);

/* One of this worker alone. */
uint64_t comm_figures_of(const comm *c, uint32_t which);

/* ---- for comm_letters and comm_inner.h ---------------------------------------------------- */

/* What an end keeps: its own, and the latest that each of those below has told. */
typedef struct comm_showing {
    uint64_t own[COMM_FIGURES_OWN], below[COMM_TREE_ARITY][COMM_FIGURES_COUNT];
    uint64_t told;  /* when they were sent last; 0: the run begins */
    uint32_t heard; /* letters since */
} comm_showing;

/* The `child`-th of those below has told its figures. */
void comm_figures_take(comm *c, uint32_t child, const uint64_t *x);

#endif
