/*
 * lts_share_chain.h - ranks that have read one range of a file each agree on the labels, in the order
 * of the file, and on what comes before each of them.
 */
#ifndef BESPOKE_LTS_SHARE_CHAIN_H
#define BESPOKE_LTS_SHARE_CHAIN_H

#include "comm/comm_run.h"
#include "core/vec.h"
#include "lang/aut_range.h"

/* A piece of what one rank tells the next one. */
typedef struct lts_share_piece {
    uint16_t what, bytes;
    char text[60];
} lts_share_piece;

/* On the way around: what has been sent of a lap. */
typedef struct lts_share_lap {
    bool wanted;     /* this rank has somebody to send it to */
    bool ready;      /* what there is to send is complete */
    bool over;       /* and sent */
    label_id labels; /* sent so far */
    size_t hidden;   /* names of the hidden label, likewise */
    size_t bytes;    /* of the text under way */
} lts_share_lap;

typedef struct lts_share_chain {
    const load_options *options;
    uint32_t rank, ranks, kind; /* kind: the number of the messages' kind */
    label_table *all;           /* borrowed; gets the labels of the file */
    const label_table *own;     /* borrowed; those of this rank's range, in their order */
    aut_range_tally sum; /* of the ranges before, then with this one, then of all */
    uint64_t lines_before;
    bool told, closed; /* what comes before is known; and what there is in all */
    VEC(char) text;    /* of a label of which not all has come */
    lts_share_lap lap[2];
} lts_share_chain;

/** All ranks begin; `all` is empty but for names of the hidden label. */
void lts_share_chain_begin(lts_share_chain *c);
void lts_share_chain_release(lts_share_chain *c);

/* The handler's part.  0, or ERR_LIMIT. */
int lts_share_chain_take(lts_share_chain *c, const lts_share_piece *pieces, size_t count,
                         err *e);

/** What comes before this range is known (`told`): add what it has itself.  0, or ERR_LIMIT. */
int lts_share_chain_join(lts_share_chain *c, aut_range_tally own, err *e);

/** Send what can be sent.  COMM_STEP_DONE: `all` and `sum` are those of the file. */
comm_step lts_share_chain_step(lts_share_chain *c, comm *net);

#endif
