/*
 * mcl_case.h - formulas and models at random, from a seed, for the tests of MCL.
 */
#ifndef BESPOKE_MCL_CASE_H
#define BESPOKE_MCL_CASE_H

#include "core/lts.h"

#include <stdint.h>

typedef struct mcl_random {
    uint64_t state;
} mcl_random;

/* A number below `below`. */
uint32_t mcl_random_below(mcl_random *r, uint32_t below);

/* A formula that passes all checks, though least and greatest fixed points may depend on
   each other; at most `bytes` with the NUL (longer ones are tried again). */
void mcl_case_formula(mcl_random *r, char *into, size_t bytes);

/* A model with at most `states` states over the labels a, b, c, SEND !1 and i. */
void mcl_case_lts(mcl_random *r, lts *out, mem *m, state_id states);

#endif
