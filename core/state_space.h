/*
 * state_space.h - a model whose states get numbers when they are met.
 *
 * The initial state is met first; the targets of a row are met, in order, when the row is
 * asked for the first time.  Rows are not kept, but for the most recent ones: a row that is
 * asked for again is computed again and is the same.
 *
 * The rows of an explicit LTS are its own and its numbers stay as they are.
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

/** For a model, which is borrowed.  0 or ERR_LIMIT. */
int state_space_open(state_space **out, const model *s, const state_space_limits *limits,
                     err *e);
void state_space_close(state_space *p);

/** The initial state's number. */
state_id state_space_initial(const state_space *p);

/** How many states have been met, as it is at any time; of an explicit one, all. */
const state_id *state_space_met(const state_space *p);

/** What went wrong; its code is ERR_NONE while nothing did. */
const err *state_space_trouble(const state_space *p);

/**
 * The row of a state that has been met: borrowed until the next call, empty after trouble.
 */
lts_row state_space_row(state_space *p, state_id s);

/** Soon the row of `s` will be asked for: stage 0 first, 1 some time later.  No state is met.
    Nothing happens where the model is explicit: who has its rows fetches them. */
void state_space_fetch(state_space *p, state_id s, int stage);

/** A state for people, as the model prints it. */
void state_space_print(const state_space *p, state_id s, char *into, size_t bytes);

#endif
