/*
 * placed_lts.h - an LTS whose states stand at places chosen at random, and the rows of ranks.
 */
#ifndef BESPOKE_PLACED_LTS_H
#define BESPOKE_PLACED_LTS_H

#include "core/lts.h"

#include <stdbool.h>

enum { PLACED_LTS_RANKS = 5 };

typedef struct placed_lts {
    lts whole;                  /* by places, some of which are nobody's */
    lts rank[PLACED_LTS_RANKS]; /* every rank's share, as enc_mcl_part.h wants it */
    uint32_t ranks;
} placed_lts;

/* Of `g`, which lends its labels and its account; aborts when memory fails. */
placed_lts placed_lts_of(const lts *g, uint32_t ranks, uint64_t seed);

/* Are the rows as they were? */
bool placed_lts_close(placed_lts *p);

#endif
