/*
 * manifest.h - the VLTS benchmark suite as facts: forty labelled transition systems of CWI
 * and INRIA/VASY, 289 states to 34 million, with what is published about each.
 */
#ifndef BESPOKE_MANIFEST_H
#define BESPOKE_MANIFEST_H

#include "core/ids.h"

#include <stdbool.h>
#include <stddef.h>

/* The columns of the suite's table, which are what a file and its row are compared by. */
#define MANIFEST_COLUMNS(X) \
    X(states)               \
    X(transitions)          \
    X(tau_transitions)      \
    X(labels)               \
    X(branching_min)        \
    X(branching_max)        \
    X(deadlock)             \
    X(livelock)             \
    X(deterministic)

typedef struct manifest_facts {
    uint64_t states, transitions;
    uint64_t tau_transitions; /* those with the hidden label */
    uint32_t labels;          /* distinct ones, the hidden one included when it occurs */
    uint32_t branching_min, branching_max; /* transitions of a state */
    bool deadlock;                         /* some state has none */
    bool livelock;                         /* a cycle of hidden transitions */
    bool deterministic; /* no state has two successors under one label */
} manifest_facts;

typedef struct manifest_row {
    const char *name; /* "vasy_0_1": who, thousands of states, of transitions */
    manifest_facts facts;
} manifest_row;

enum { MANIFEST_ROWS = 40 };

extern const manifest_row manifest[MANIFEST_ROWS]; /* in the suite's order */

/** The row of a name, or NULL. */
const manifest_row *manifest_find(const char *name);

enum { MANIFEST_DIFFERENCES_BYTES = 160 }; /* room for the names of all columns */

/**
 * Compare what a file holds with what is published.  Returns how many columns differ and
 * writes their names, divided by blanks, to `names`.
 */
unsigned manifest_compare(const manifest_facts *published, const manifest_facts *found,
                          char names[MANIFEST_DIFFERENCES_BYTES]);

#endif
