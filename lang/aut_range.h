/*
 * aut_range.h - the body of an AUT file, or a range of it, read in rounds: in each, every thread
 * reads a block, and then the batches are there in the order of the file.
 *
 * For readers that do something else with transitions than to keep them all (aut_read.c does
 * that, without rounds).  One thread calls; the others work while a round lasts.
 */
#ifndef BESPOKE_AUT_RANGE_H
#define BESPOKE_AUT_RANGE_H

#include "lang/aut_block.h"
#include "lang/aut_head.h"

typedef struct aut_range aut_range;

/* What was read since the range began. */
typedef struct aut_range_tally {
    uint64_t lines, transitions;
    uint64_t end; /* one more than the largest state */
} aut_range_tally;

/** Open and read the head.  0, or a code with the position. */
int aut_range_open(aut_range **out, const char *path, const load_options *o, err *e);
void aut_range_close(aut_range *r);

const aut_head *aut_range_head(const aut_range *r);

/* Can ranges be read alone?  Not of what is compressed: there is one part, the whole. */
bool aut_range_divides(const aut_range *r);

/** Begin, or begin again, with part `part` of `parts`.  Who begins again goes on with the same table
    of labels, or with one that has them all.  0, or a code. */
int aut_range_begin(aut_range *r, uint32_t part, uint32_t parts, err *e);

/** Read the next round.  Its labels are entered into `labels`, in the order of the file.  The number of batches; 0 at the end, or with a code in `e`
    whose message has no position yet: see aut_range_locate. */
size_t aut_range_round(aut_range *r, label_table *labels, err *e);

/* Batch i of the round: its edges may be changed; labels are indices of `rename`. */
lts_batch *aut_range_batch(aut_range *r, size_t i, const label_id **rename);

aut_range_tally aut_range_so_far(const aut_range *r);
uint64_t aut_range_done(const aut_range *r); /* bytes */

/** After the last round: `labels` knows which hidden names occur.  0, or ERR_LIMIT. */
int aut_range_enter_hidden(const aut_range *r, label_table *labels, err *e);

/** Put the position before the message of a failed round; so many lines of the body were before
    this range.  Its code. */
int aut_range_locate(const aut_range *r, uint64_t lines_before, err *e);

#endif
