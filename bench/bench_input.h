/*
 * bench_input.h - the systems that benchmarks work on: random, with the locality of a
 * generated state space, the same on every run.
 */
#ifndef BESPOKE_BENCH_INPUT_H
#define BESPOKE_BENCH_INPUT_H

#include "core/lts.h"

#include <stdbool.h>

/* 400 thousand states, 3 million transitions, 20 labels: twice a large cache. */
enum { BENCH_STATES = 400000, BENCH_TRANSITIONS = 3000000, BENCH_LABELS = 20 };

/** A reachable LTS of that size.  0 or ERR_LIMIT. */
int bench_input_lts(lts *out, mem *m, err *e);

/** Its AUT text in a new temporary file, whose name goes to `path`; shuffled on request. */
int bench_input_aut(char path[64], bool shuffled, mem *m, err *e);

#endif
