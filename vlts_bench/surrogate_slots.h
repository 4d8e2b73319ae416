/*
 * surrogate_slots.h - what each transition of a level is for, state by state.
 *
 * A transition has a slot of flags: it finds a new state (tree), it is hidden, it is the
 * loop that makes a livelock certain.  Labels and targets are surrogate_write.c's matter.
 */
#ifndef BESPOKE_SURROGATE_SLOTS_H
#define BESPOKE_SURROGATE_SLOTS_H

#include "vlts_bench/degree_urn.h"
#include "vlts_bench/surrogate_plan.h"

enum { SLOT_TREE = 1, SLOT_TAU = 2, SLOT_LOOP = 4 };

typedef struct surrogate_slots {
    const surrogate_plan *plan; /* borrowed */
    random_stream chance;       /* of this level */
    degree_urn urn;             /* owned */
    uint8_t *slot;              /* owned; of the state at hand, branching_max entries */
    uint32_t level;             /* at hand */
    state_id first, end;        /* its states */
    state_id next;              /* the least number not found yet */
    state_id live, dead;        /* states of the level still to come */
    uint64_t edges, trees, tau; /* transitions of the level still to come; tau without: */
    bool loop;                  /* the hidden loop is still to come */
    bool pair;         /* two transitions of one state with one label are still to come */
    bool repeat;       /* the state at hand must have two visible ones with one label */
    bool forward;      /* hidden transitions lead to higher numbers only */
    uint64_t short_by; /* how far targets for hidden ones may fall short */
} surrogate_slots;

/** 0 or ERR_LIMIT. */
int surrogate_slots_open(surrogate_slots *x, const surrogate_plan *p, err *e);
void surrogate_slots_close(surrogate_slots *x);

/* Go to the next level, or (the first time) to the root's; all of the last was drawn. */
void surrogate_slots_enter(surrogate_slots *x, uint32_t level);

/**
 * Draw the next state, `s`: returns its number of transitions and fills that many slots.
 * The caller then finds as many new states (x->next) as slots are trees.
 */
uint32_t surrogate_slots_draw(surrogate_slots *x, state_id s);

#endif
