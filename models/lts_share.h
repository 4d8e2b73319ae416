/*
 * lts_share.h - an LTS in a file, of which every rank keeps what it owns.
 *
 * The states have places (core/distribution.h); a rank has the rows of its own ones under its local
 * numbers, and the targets in them are places.  Within a row transitions keep the order of the
 * file, and the labels have the same numbers on every rank, those of their first use in the
 * file: so the rows are those of a whole reading (lts_file.h), renumbered.
 *
 * A plain AUT file is read by all ranks together, each a range of its bytes; a .plts likewise, by
 * ranges of states.  A compressed one and a .bcg are decoded by every rank for itself, which
 * keeps its own rows and never has the whole.  Memory of a rank: its rows, a half to two thirds
 * more of that while transitions arrive, and buffers of fixed size.
 */
#ifndef BESPOKE_LTS_SHARE_H
#define BESPOKE_LTS_SHARE_H

#include "comm/comm_transport.h"
#include "core/distribution.h"
#include "lang/load_options.h"

typedef struct lts_share_options {
    const load_options *load; /* its threads are those of each rank for loading */
    distribution_kind kind;
    uint32_t ranks;                  /* 0 or 1: one, which needs no transport */
    uint32_t threads;                /* of a rank, that will own states; 0: one */
    const comm_transport *transport; /* that has these ranks: "mpi" */
} lts_share_options;

typedef struct lts_share_count {
    uint64_t transitions;
    uint64_t cross_ranks;   /* of these, with their ends on two ranks */
    uint64_t cross_workers; /* or on two threads, of any ranks */
} lts_share_count;

typedef struct lts_share {
    lts rows; /* local numbers 0 .. places.range-1, where states end: empty rows;
                            initial: local, or STATE_NONE where it is elsewhere */
    distribution places; /* of all states of the file */
    uint32_t rank;
    state_id initial; /* the place of the initial state */
    lts_share_count own, all;
} lts_share;

/**
 * Load, by all ranks together, who succeed or fail alike.  Blocks as long as that takes.  With one
 * rank this is lts_file_read, and a .plts is mapped.  Warnings come from rank 0.
 * 0, or the code and message of lts_file_read; ERR_LIMIT: one rank's memory; ERR_INPUT: a pipe,
 * which several ranks cannot read; ERR_SYSTEM.  On failure `out` is empty.
 */
int lts_share_open(lts_share *out, const char *path, const lts_share_options *o, err *e);
void lts_share_close(lts_share *s);

#endif
