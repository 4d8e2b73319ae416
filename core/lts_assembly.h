/*
 * lts_assembly.h - batches of transitions, read by many threads, become one LTS.
 *
 * A batch is added in two steps.  lts_assembly_turn happens in the order of the input, one
 * batch at a time (see turnstile.h), and is short; lts_assembly_place does the copying and
 * happens any time later, many at once.
 *
 * While the sources ascend, as in every file that was written state by state, a batch goes
 * straight into its final place: nothing is sorted and no memory beyond the LTS is touched.
 * From the first batch on that breaks the order, batches are kept as sorted parts and
 * merged at the end (lts_build).
 */
#ifndef BESPOKE_LTS_ASSEMBLY_H
#define BESPOKE_LTS_ASSEMBLY_H

#include "core/lts.h"
#include "core/lts_part.h"

#include <stdatomic.h>

/* Shared; changed in turns only, except `placed`. */
typedef struct lts_assembly {
    lts g;                   /* under construction: labels, and the rows while direct */
    bool direct;             /* batches still go straight into the rows */
    uint64_t room;           /* transitions that the rows of `g` were allocated for */
    uint64_t count;          /* transitions of all turns so far */
    uint64_t direct_count;   /* those of them in the rows */
    uint64_t rows;           /* states whose row begins before the next direct batch */
    uint64_t turns;          /* direct batches so far */
    _Atomic uint64_t placed; /* those of them that have been copied */
} lts_assembly;

/* What one thread keeps between its batches. */
typedef struct lts_store {
    arena memory;
    VEC(lts_part) parts;
} lts_store;

/* Where a batch belongs, as its turn found. */
typedef struct lts_ticket {
    uint64_t order;
    bool direct;
    uint64_t base; /* number of its first transition */
    uint64_t rows; /* states whose row begins before it */
} lts_ticket;

/**
 * Prepare for `states` states and `transitions` transitions in ascending order; with
 * states == 0 they are unknown and all batches become parts.
 * 0, or ERR_LIMIT.
 */
int lts_assembly_open(lts_assembly *a, mem *m, state_id states, uint64_t transitions,
                      err *e);
void lts_assembly_close(lts_assembly *a);

/**
 * In the order of the input: enter the batch numbered `order`.  Labels of the batch must be
 * in a->g.labels by now.  0, or ERR_LIMIT.
 */
int lts_assembly_turn(lts_assembly *a, lts_ticket *out, uint64_t order,
                      const lts_batch *b, err *e);

/**
 * Move the batch to its place, or into a part of `s`; labels are renumbered by `rename`.
 * Any thread, at once with others.  The batch is empty afterwards.  0, or ERR_LIMIT.
 */
int lts_assembly_place(lts_assembly *a, const lts_ticket *t, lts_batch *b,
                       const label_id *rename, lts_store *s, err *e);

/**
 * All batches are placed: move the LTS to `out`, merging the parts of the stores with
 * `threads` threads.  Sources and targets must be below `states`.  0, or ERR_LIMIT.
 */
int lts_assembly_finish(lts_assembly *a, lts *out, state_id states, state_id initial,
                        const lts_store *stores, size_t store_count, int threads, err *e);

void lts_store_release(lts_store *s, mem *m);

#endif
