/*
 * lts_share_rows.h - transitions that arrive from several ranks become the rows of one.
 */
#ifndef BESPOKE_LTS_SHARE_ROWS_H
#define BESPOKE_LTS_SHARE_ROWS_H

#include "core/lts.h"
#include "core/lts_part.h"

/* Neighbours in the order of arrival that one rank has sent. */
typedef struct lts_share_rows_run {
    uint64_t begin;
    uint32_t count, sender;
} lts_share_rows_run;

typedef struct lts_share_column {
    void *cell; /* owned */
    uint64_t room;
    unsigned width; /* bytes of a cell */
} lts_share_column;

typedef struct lts_share_rows {
    mem *m;
    uint64_t count;
    lts_share_column at; /* places of the sources; then where a transition belongs */
    lts_share_column to;
    lts_share_column label;
    VEC(lts_share_rows_run) runs;
} lts_share_rows;

void lts_share_rows_open(lts_share_rows *r, mem *m);
void lts_share_rows_close(lts_share_rows *r);

/** About so many will come in all, more or fewer: a wish. */
void lts_share_rows_expect(lts_share_rows *r, uint64_t count);

/** Transitions that `sender` has sent, in its order; their labels are those of the LTS.  0 or ERR_LIMIT. */
int lts_share_rows_add(lts_share_rows *r, uint32_t sender, const lts_edge *edges,
                       size_t count, err *e);

/** Move the rows of the sources origin .. origin + states - 1, and there are no others, to `out`, whose
    labels are set.  A row has its transitions in the order of the senders' numbers, and of
    arrival.  Uses up to `threads` threads.  0, or ERR_LIMIT. */
int lts_share_rows_finish(lts_share_rows *r, state_id origin, state_id states, lts *out,
                          int threads, err *e);

#endif
