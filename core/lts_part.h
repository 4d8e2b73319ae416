/*
 * lts_part.h - a batch of transitions on its way into an LTS, sorted by source.
 *
 * A reader collects transitions in a lts_batch, in whatever order the input has them; a
 * full batch becomes an lts_part: packed, stably sorted by source, in an arena.
 */
#ifndef BESPOKE_LTS_PART_H
#define BESPOKE_LTS_PART_H

#include "core/arena.h"
#include "core/ids.h"
#include "core/vec.h"

typedef struct lts_part {
    uint64_t order;       /* parts are merged in ascending order of this number */
    uint32_t count;       /* transitions */
    const state_id *from; /* ascending; in an arena, like all columns */
    const state_id *to;
    const void *label; /* label_bytes wide */
    unsigned label_bytes;
    const label_id
        *rename; /* borrowed: number of a label here -> in the LTS; NULL = same */
} lts_part;

/* One transition while it is collected. */
typedef struct lts_edge {
    state_id from, to;
    label_id label;
} lts_edge;

typedef struct lts_batch {
    VEC(lts_edge) edges;
    VEC(lts_edge) sorted; /* scratch of the sort */
} lts_batch;

void lts_batch_release(lts_batch *b, mem *m);

/**
 * Move the edges of a batch into a part in `a`; the batch is empty afterwards.
 * Linear time: nothing is sorted when the sources ascend already, else a radix sort.
 * 0, or ERR_LIMIT.
 */
int lts_part_make(lts_part *out, lts_batch *b, mem *m, arena *a, err *e);

/** The first position whose source is at least `s`: count when there is none. */
uint32_t lts_part_bound(const lts_part *p, uint64_t s);

#endif
