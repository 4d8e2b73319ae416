/*
 * lts_build.h - parts of transitions, in any order, become one LTS.
 */
#ifndef BESPOKE_LTS_BUILD_H
#define BESPOKE_LTS_BUILD_H

#include "core/lts.h"
#include "core/lts_part.h"

/**
 * Fill `g`, whose m, states, initial and labels are set, from `parts` in ascending order of
 * their numbers; within a state, transitions keep the order of the parts.
 * Local, uses up to `threads` threads; the result does not depend on their number.
 * Every source and target must be below g->states, every renamed label in the table.
 * 0, or ERR_LIMIT; then `g` is half-built and wants lts_close.
 */
int lts_build(lts *g, const lts_part *parts, size_t count, int threads, err *e);

#endif
