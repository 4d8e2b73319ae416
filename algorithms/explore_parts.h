/*
 * explore_parts.h - what the files of the exploration share.  For them only.
 *
 * Every state belongs to a worker, by its hash, and stands in that worker's store.  Where it
 * is found again is a place: the worker and the number there.  Its number, the one that people
 * see, counts states as a breadth-first search by one worker meets them.
 */
#ifndef BESPOKE_EXPLORE_PARTS_H
#define BESPOKE_EXPLORE_PARTS_H

#include "algorithms/explore.h"
#include "core/crew.h"
#include "core/vertex_store.h"

enum {
    EXPLORE_MOVES = 16384,                /* about so many moves per worker and round, */
    EXPLORE_MOVES_MAX = 4 * EXPLORE_MOVES /*   and no state more when these are reached */
};

/* Where a state is. */
typedef struct explore_place {
    worker_id owner;
    local_id local;
} explore_place;

/* Targets on their way from one worker to their owner, for one round. */
typedef struct explore_box {
    uint32_t *key;
    uint64_t *hash;
    local_id *id; /* filled in by the owner */
    uint32_t count, room;
    local_id fresh; /* the owner's first new number when it took this box */
    uint32_t
        met;     /* how many were new; they have numbers fresh, fresh + 1, ... in order */
    uint32_t at; /* where a walk over the moves of the round is */
} explore_box;

typedef VEC(explore_place) explore_places;

/* Rows in the order in which states were looked at. */
typedef struct explore_rows {
    mem *m;
    VEC(uint64_t) first; /* of row i; one more at the end */
    VEC(state_id) target;
    VEC(uint8_t) label; /* label_bytes per transition */
    unsigned label_bytes;
    VEC(state_id)
    row; /* of a state, when rows are not in the order of numbers; else empty */
} explore_rows;

/* What was counted of the states a worker has looked at. */
typedef struct explore_tally {
    uint64_t states, transitions, deadlocks;
} explore_tally;

/* Touched by whoever plays this worker's part in a phase, and by nobody else then, but for
   what is said of boxes and numbers. */
typedef struct explore_worker {
    vertex_store *store;
    void *context;
    model_moves moves;
    explore_box *box;     /* one per owner; an owner fills in its ids and counts */
    VEC(label_id) label;  /* per move of the round, when rows are kept */
    VEC(worker_id) owner; /* per move of the round, where numbers are given later */
    VEC(local_id) id;     /* scratch of an owner, where nobody asks for numbers */
    VEC(uint32_t) degree; /* per state of the share, when rows are kept */
    VEC(state_id)
    number; /* per key of the store, when numbers are wanted and workers
                               several; whoever found a state writes its entry */
    VEC(local_id)
    level; /* keys in the store when a level began, those of the level included */
    uint8_t *label_met;   /* per label of the model */
    uint64_t begin, end;  /* its share in this round: of its store, or of `level` */
    uint64_t looked_to;   /* where it ended: before `end` if its moves were too many */
    uint64_t round_moves; /* of its share */
    explore_tally tally, before; /* now, and when the round began */
    uint64_t found; /* place in its share of what to stop at; UINT64_MAX: none */
    uint64_t state_base, move_base; /* numbers of its first new state, its first move */
    err e;
} explore_worker;

struct explore {
    const model *s;
    mem *m;
    explore_options o;
    bool numbered; /* numbers of states are wanted: for rows, or for what it stops at */
    bool own; /* every worker looks at its own states: there is one, or no numbers are
                      wanted; else states are dealt out in the order of their numbers */
    worker_id workers;
    crew *threads; /* that play the workers, while it runs */
    explore_worker *worker;
    explore_places level,
        next; /* in order of numbers, where workers do not have their own */
    uint64_t level_begin,
        level_size;    /* of the level: number of its first state, states */
    uint64_t level_at; /* states of it that were looked at */
    uint64_t states;   /* met */
    worker_id sharing; /* workers that may have a share in this round */
    bool alone;        /* the round is small: one thread plays all workers */
    explore_rows rows;
    VEC(local_id) parent; /* depth-first: who met a state; itself for the initial one */
    bool found;
    explore_place found_at; /* the state where it stopped */
    explore_counts counts;
    err e; /* of the leader of the crew */
};

/* Which worker a state belongs to: by bits of its hash that the store does not look at. */
static inline worker_id explore_owner(const explore *x, uint64_t hash)
{
    enum { SHIFT = 18, BITS = 24 };
    uint64_t bits = hash >> SHIFT & ((1u << BITS) - 1);
    return (worker_id)((bits * x->workers) >> BITS);
}

static inline const uint32_t *explore_key(const explore *x, explore_place p)
{
    return vertex_store_key(x->worker[p.owner].store, p.local);
}

void explore_box_release(const explore *x, explore_box *b);

/** Compute the moves of a state into the worker's buffer, as a set.  0 or a code. */
int explore_moves(explore *x, explore_worker *w, explore_place p, err *e);

/** Count a state that was looked at; true when it is what to stop at. */
bool explore_count(const explore *x, explore_worker *w);

/** The phases of a round, each for one worker; failures are in its err. */
crew_step explore_expand, explore_insert, explore_number, explore_write_rows;

/** Forget what a worker did in its share. */
void explore_drop(explore *x, worker_id w);

/** Depth-first: all of it.  As explore_run. */
int explore_depth_first(explore *x, err *e);

/** Room for so many rows and transitions more, and a row's end.  0 or ERR_LIMIT. */
int explore_rows_reserve(explore_rows *r, uint64_t states, uint64_t transitions, err *e);
void explore_rows_release(explore_rows *r);

/** Number states breadth-first, and labels in order of first use; the rows become an LTS. */
int explore_rows_take(explore_rows *r, const label_table *labels, lts *out, err *e);

static inline void explore_rows_put(explore_rows *r, uint64_t t, label_id label,
                                    state_id target)
{
    r->target.at[t] = target;
    if (r->label_bytes == 1) r->label.at[t] = (uint8_t)label;
    else if (r->label_bytes == 2) ((uint16_t *)r->label.at)[t] = (uint16_t)label;
    else ((uint32_t *)r->label.at)[t] = label;
}

#endif
