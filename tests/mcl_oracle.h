/*
 * mcl_oracle.h - formulas on small models whose verdicts two other tools agree on.
 */
#ifndef BESPOKE_MCL_ORACLE_H
#define BESPOKE_MCL_ORACLE_H

#include "core/lts.h"

/* One case; false: it is wrong.  `model` is lent, and taken from its account `model->m`. */
typedef bool mcl_oracle_case(void *self, const char *formula, const lts *model,
                             bool verdict);

/**
 * Hand every case to `each`; a case that is wrong, and memory that was not given back, fail
 * the CUnit test that runs.  Without the file it says "skipped: ..." and returns 0.
 * Returns how many cases there were.
 */
unsigned mcl_oracle_each(mcl_oracle_case *each, void *self);

#endif
