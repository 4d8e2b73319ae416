/*
 * explored.h - a MODEL with all of its states: what is an LTS already is loaded, anything else is
 * opened and explored.
 */
#ifndef BESPOKE_EXPLORED_H
#define BESPOKE_EXPLORED_H

#include "algorithms/explore.h"
#include "tools/model_arg.h"

/* --threads --max-states: of commands that may have to explore. */
extern const option_group options_explore;

typedef struct explored {
    model *model;    /* owned */
    lts own;         /* what was explored; else empty */
    const lts *rows; /* the states: the model's or `own`; NULL = none yet */
} explored;

#define EXPLORED_INIT ((explored){ .model = NULL })

/** Open and, if need be, explore; at a limit stderr is told how far it came.  `writes` (NULL =
    nothing) will be written: an implicit model may not have been read from there.
    0 or a code; explored_close in any case. */
int explored_open(explored *x, const model_arg *a, const char *writes, tool *t, err *e);
void explored_close(explored *x);

/** How to explore, as the options say, with the clock. */
explore_options explored_options(tool *t);

/** Explore the model called `name` in a phase of its own.  The codes of explore_run. */
int explored_run(explore *x, const char *name, tool *t, err *e);

/** Was `path` (NULL = nothing) read for this model?  Then it must not be written.
    0 or ERR_USAGE. */
int explored_check_output(const model *s, const char *path, err *e);

#endif
