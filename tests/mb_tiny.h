/*
 * mb_tiny.h - all interleavings of MB-DSOLVE on a small system: the real solver on messages that
 * come when the explorer says so.
 *
 * mb_tiny.c is what the solver sees of comm/, put in its place when it is linked, so all this
 * has a program of its own (unit_mb).  A state of the whole is a row of bytes (mb_tiny_state.c): all that
 * the workers know, their detectors, what is under way.  A move is what a turn of comm_run is made of:
 * a letter, then what the worker has told goes to its detector, then data, then a step.
 * Data of one kind between two workers, and letters between two, come in order; nothing else does.
 */
#ifndef BESPOKE_MB_TINY_H
#define BESPOKE_MB_TINY_H

#include "lang/bes.h"
#include "tests/mb_family.h"

enum { MB_TINY_WORKERS = 4 };

typedef struct mb_tiny_case {
    const char *name;
    const char *owner; /* of each vertex, in the order of blocks and variables: "0010" */
    const char *text;  /* the system; the root is its first vertex */
    bool value;
} mb_tiny_case;

const mb_tiny_case *mb_tiny_cases(size_t *count);

/* The example of the paper, as far as its text tells; on three workers, so it takes a while. */
extern const mb_tiny_case mb_tiny_figure_2;

typedef enum {
    MB_TINY_PARENTS,      /* where one parent per vertex would do it does */
    MB_TINY_DEPENDENCIES, /* nowhere */
    MB_TINY_ANY,          /* no block is asked for one vertex only */
    MB_TINY_EXHAUSTIVE,
    MB_TINY_MODES
} mb_tiny_mode;
const char *mb_tiny_mode_name(mb_tiny_mode mode);

typedef struct mb_tiny_options {
    mb_tiny_mode mode;
    mb_policy policy;
    const char *detector;
    uint32_t slice;
    uint32_t room; /* messages of a kind under way between two workers; 0: any number */
    size_t most;   /* states */
} mb_tiny_options;

typedef struct mb_tiny_result {
    size_t states, ends; /* found; ends of runs among them */
} mb_tiny_result;

/** Try all interleavings.  NULL, or what is wrong, in words, in memory that the next call
    uses again. */
const char *mb_tiny_explore(const mb_tiny_case *c, const mb_tiny_options *o,
                            const mb_family *f, mb_tiny_result *out);

/** One run, each move drawn from the seed.  `reload`: the world is made again from its bytes before
    each move.  The digest of all states that were met: the bytes are the world if it is
    the same either way. */
uint64_t mb_tiny_walk(const mb_tiny_case *c, const mb_tiny_options *o, const mb_family *f,
                      uint64_t seed, bool reload);

#endif
