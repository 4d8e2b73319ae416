/*
 * explore.h - all states that a model can reach.
 *
 * States are numbered as a breadth-first search by one thread would meet them, whatever the
 * order and the number of threads; transitions are a set.
 */
#ifndef BESPOKE_EXPLORE_H
#define BESPOKE_EXPLORE_H

#include "core/model.h"
#include "core/progress.h"
#include "core/vec.h"

typedef enum { EXPLORE_BFS, EXPLORE_DFS } explore_order;

typedef struct explore_options {
    explore_order order; /* EXPLORE_DFS: one thread */
    int threads;         /* > 0 */
    bool keep;           /* the rows are wanted: see explore_take */
    bool stop_at_deadlock;
    label_id stop_at_label; /* or LABEL_NONE */
    uint64_t max_states;    /* 0: no bound; else it is a limit like memory */
    progress *clock;        /* may be NULL */
} explore_options;

typedef struct explore_counts {
    uint64_t states, transitions; /* met; looked at, as sets */
    uint64_t labels;              /* that occur */
    uint64_t deadlock_states;
    uint64_t depth; /* greatest distance from the initial state; of a depth-first search
                          the longest path it went */
    uint64_t frontier; /* met, not yet looked at */
} explore_counts;

typedef struct explore explore;

/** `s` is borrowed.  0 or ERR_LIMIT. */
int explore_open(explore **out, const model *s, const explore_options *o, err *e);
void explore_close(explore *x);

/** Explore to the end, or to what it shall stop at.  0; ERR_LIMIT; the model's codes.  The
    counts stay true. */
int explore_run(explore *x, err *e);

const explore_counts *explore_counted(const explore *x);

/** Was what it should stop at found? */
bool explore_found(const explore *x);

/** The labels from the initial state to what was found; shortest if breadth-first.  The last
    is the label it stopped at, if one was asked for.  `out` is released by the caller, from
    the model's account.  Costs up to another search.  0 or ERR_LIMIT. */
typedef VEC(label_id) explore_trace;
int explore_trace_of(explore *x, explore_trace *out, err *e);

/** The rows, with a label table of their own in order of first use; they are the caller's now.
    Once, after a run to the end with `keep`.  0 or ERR_LIMIT. */
int explore_take(explore *x, lts *out, err *e);

#endif
