/*
 * search.h - breadth-first search of an explicit LTS at the speed of the memory.
 */
#ifndef BESPOKE_SEARCH_H
#define BESPOKE_SEARCH_H

#include "core/lts.h"
#include "core/progress.h"

typedef struct search {
    mem *m;           /* borrowed */
    state_id states;  /* of the LTS: the size of the two columns */
    state_id reached; /* how many states were found */
    uint32_t levels;  /* greatest distance from the initial state, plus one */
    state_id *order;  /* owned; the reached states in the order they were found */
    uint8_t *seen;    /* owned; 1 for the reached ones */
} search;

/**
 * All states reachable from the initial one.  Local, does not block.
 * 5 bytes per state.  0, or ERR_LIMIT (memory, time); then `out` is empty.
 */
int search_run(search *out, const lts *g, progress *clock, err *e);
void search_close(search *s);

#endif
