/*
 * state_space.h - a model whose states get numbers when they are met.
 *
 * The initial state is met first; the targets of a row are met, in order, when the row is
 * asked for the first time.  Rows are not kept, but for the most recent ones: a row that is
 * asked for again is computed again and is the same.
 *
 * The rows of an explicit LTS are its own and its numbers stay as they are.
 *
 * Several workers may share the states of another model, each with a space of its own: it meets
 * the states that the hash of their keys gives it, in its rows and when it is told of them; a
 * target that is another's is not met, and known by its place in the row.
 * One thread at a time; a failure (memory, a plug-in that misbehaves) is kept in `trouble`, and all
 * rows are empty from then on, so nobody on the way needs to check each of them.
 */
#ifndef BESPOKE_STATE_SPACE_H
#define BESPOKE_STATE_SPACE_H

#include "core/model.h"
#include "core/progress.h"

typedef struct state_space state_space;

/* One more is trouble (ERR_LIMIT); of no concern to explicit ones. */
typedef struct state_space_limits {
    state_id states;      /* > 0 */
    uint32_t transitions; /* of one state */
    progress *clock;      /* looked at per so many moves, however few rows; may be NULL */
} state_space_limits;

/* Which states a space meets. */
typedef struct state_space_share {
    worker_id self, workers; /* > 0; one: all */
    state_id
        elsewhere; /* move i of a row has the target elsewhere + i when that is another's;
                           more than there are states */
} state_space_share;

/** For a model, which is borrowed.  0 or ERR_LIMIT. */
int state_space_open(state_space **out, const model *s, const state_space_limits *limits,
                     err *e);
/** The same for a share of the states of a model that is not explicit. */
int state_space_open_share(state_space **out, const model *s,
                           const state_space_limits *limits,
                           const state_space_share *share, err *e);
void state_space_close(state_space *p);

/** The initial state's number, on its owner. */
state_id state_space_initial(const state_space *p);

/** How many states have been met, as it is at any time; of an explicit one, all. */
const state_id *state_space_met(const state_space *p);

/** What went wrong; its code is ERR_NONE while nothing did. */
const err *state_space_trouble(const state_space *p);

/**
 * The row of a state that has been met: borrowed until the next call, empty after trouble.
 */
lts_row state_space_row(state_space *p, state_id s);

/** Where move i of the row that was asked for last leads: its key and its owner.  Only where the
    states are shared.  Rows that are fetched, and states that are met, do not matter. */
const uint32_t *state_space_target_key(const state_space *p, uint32_t i);
worker_id state_space_target_owner(const state_space *p, uint32_t i);

/** Copy the key of a state that has been met.  Not of an explicit model. */
void state_space_copy_key(const state_space *p, state_id s, uint32_t *into);

/** The owner of a key. */
worker_id state_space_owner(const state_space *p, const uint32_t *key);

/**
 * Numbers for `count` states that others came upon, by their keys, `stride` bytes apart.  Only
 * where the states are shared.  0; ERR_LIMIT; ERR_SYSTEM when a key is another's.
 */
int state_space_meet(state_space *p, const void *keys, size_t stride, uint32_t count,
                     state_id *out, err *e);

/** Soon the row of `s` will be asked for: stage 0 first, 1 some time later.  No state is met.
    Nothing happens where the model is explicit: who has its rows fetches them. */
void state_space_fetch(state_space *p, state_id s, int stage);

/** A state for people, as the model prints it. */
void state_space_print(const state_space *p, state_id s, char *into, size_t bytes);

#endif
