/*
 * lts_facts.h - what `bespoke info` tells about an LTS.
 */
#ifndef BESPOKE_LTS_FACTS_H
#define BESPOKE_LTS_FACTS_H

#include "core/lts.h"
#include "core/progress.h"

#include <stdbool.h>

typedef struct lts_facts {
    uint64_t tau_transitions;           /* transitions with the hidden label */
    uint64_t deadlock_states;           /* states without transitions, reachable or not */
    uint64_t deadlock_states_reachable; /* those of them that the system can come to */
    uint64_t unreachable_states;
    uint64_t branching_min, branching_max; /* transitions of a state, over all states */
    double branching_average;
    uint32_t levels;    /* of a breadth-first search from the initial state */
    bool livelock;      /* a cycle of hidden transitions is reachable */
    bool deterministic; /* no state has two successors under one label */
} lts_facts;

/**
 * Compute all of them.  Local, does not block; 9 bytes per state and 8 per label of working
 * memory.
 * 0, or ERR_LIMIT (memory, time).
 */
int lts_facts_compute(lts_facts *out, const lts *g, progress *clock, err *e);

#endif
