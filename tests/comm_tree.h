/*
 * comm_tree.h - a random forest that grows over the workers, epoch after epoch on each channel,
 * beside the same forest grown by one loop.
 */
#ifndef BESPOKE_COMM_TREE_H
#define BESPOKE_COMM_TREE_H

#include "comm/comm_run.h"

enum { TREE_CHANNELS_MAX = 3, TREE_EPOCHS_MAX = 4 };

/* What has been grown; in memory that all ranks see. */
typedef struct tree_tally {
    _Atomic uint64_t nodes, sum;
} tree_tally;

typedef struct tree_board {
    tree_tally done[TREE_CHANNELS_MAX][TREE_EPOCHS_MAX];
    _Atomic uint64_t wrong;
} tree_board;

typedef struct tree_case {
    uint32_t workers, channels, epochs;
    uint32_t size; /* nodes of an epoch, about */
    const dtd_class *detector;
    size_t buffer_bytes; /* 0: as little as works */
    bool two_hops, reserve;
    uint64_t seed;
    uint32_t ranks;    /* 0: one */
    tree_board *board; /* zero at the start; NULL: one of its own */
} tree_case;

typedef struct tree_result {
    err e;
    uint64_t wrong; /* announcements that came early, sums that differ, bytes left */
    uint64_t nodes, letters;
} tree_result;

tree_result tree_run(const tree_case *c, const comm_transport *transport,
                     const void *options);

#endif
