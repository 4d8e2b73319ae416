/*
 * naive_bes.h - the solution of a Boolean equation system by its definition.
 * Shares nothing with the solvers: no graph, no search, only rounds over all equations.
 */
#ifndef BESPOKE_NAIVE_BES_H
#define BESPOKE_NAIVE_BES_H

#include "lang/bes.h"

/* Values of all vertices, 0 or 1; `value` has room for them. */
void naive_bes_solve(const bes *b, uint8_t *value);

#endif
