/*
 * lts_part.h - transitions on their way into an LTS: collected in batches, kept in parts.
 *
 * A reader collects transitions in an lts_batch, in whatever order the input has them; a
 * full batch becomes an lts_part: packed, stably sorted by source, in an arena.
 */
#ifndef BESPOKE_LTS_PART_H
#define BESPOKE_LTS_PART_H

#include "core/arena.h"
#include "core/ids.h"
#include "core/vec.h"

#include <stdbool.h>

/* One transition while it is collected. */
typedef struct lts_edge {
    state_id from, to;
    label_id label; /* as the collector numbers labels */
} lts_edge;

typedef struct lts_batch {
    VEC(lts_edge) edges;
    VEC(lts_edge) sorted; /* scratch of the sort */
    bool ascends;         /* set by lts_batch_seal: the sources ascend already */
} lts_batch;

typedef struct lts_part {
    uint64_t order;       /* parts are merged in ascending order of this number */
    uint32_t count;       /* transitions */
    unsigned label_bytes; /* 1, 2 or 4 */
    const state_id *from; /* ascending; in an arena, like all columns */
    const state_id *to;
    const void *label; /* label_bytes wide, numbered as in the LTS */
} lts_part;

void lts_batch_release(lts_batch *b, mem *m);

/** The batch is complete: find out whether its sources ascend.  Before anything below. */
void lts_batch_seal(lts_batch *b);

/**
 * Move the edges of a batch into a part in `a`, with labels renumbered by `rename`; the
 * batch is empty afterwards.  Linear time: a radix sort where the sources do not ascend.
 * 0, or ERR_LIMIT.
 */
int lts_part_make(lts_part *out, lts_batch *b, const label_id *rename, mem *m, arena *a,
                  err *e);

/** The first position whose source is at least `s`: count when there is none. */
uint32_t lts_part_bound(const lts_part *p, uint64_t s);

#endif
