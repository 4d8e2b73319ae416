/*
 * surrogate.h - a stand-in for a VLTS instance: other transitions, the same facts.
 *
 * A surrogate has exactly the row's numbers of states, transitions, hidden transitions and
 * labels, its least and greatest branching, its answers for deadlock, livelock and
 * determinism.  Every state is reachable and numbered breadth-first, in a wanted number of
 * levels, the first deadlock at a wanted depth.  docs/SURROGATES.md has the distributions.
 *
 *     surrogate_plan_open -> surrogate_save (or surrogate_write into a sink) -> ..._close
 *
 * What is written depends on the row, the options and SURROGATE_VERSION alone: the same
 * bytes on every machine.
 */
#ifndef BESPOKE_SURROGATE_H
#define BESPOKE_SURROGATE_H

#include "core/lts_sink.h"
#include "core/progress.h"
#include "vlts_bench/manifest.h"

/* A visible label that every surrogate uses, and no real model: none is taken for real. */
#define SURROGATE_LABEL "SURROGATE"

enum {
    SURROGATE_VERSION = 1, /* changes when the same plan would give other bytes */
    SURROGATE_LEVELS_MAX = 1 << 20
};

#define SURROGATE_SCALE_ONE UINT64_C(1000000000) /* a scale of 1 */
#define SURROGATE_AUTO      UINT64_MAX           /* "as documented" */
#define SURROGATE_NONE      UINT32_MAX           /* a depth at which nothing is */

typedef struct surrogate_options {
    uint64_t scale;          /* of the numbers of the row, in units of 10^-9; not 0 */
    uint64_t seed;           /* any */
    uint64_t levels;         /* breadth-first levels, or SURROGATE_AUTO */
    uint64_t deadlock_depth; /* level of the first deadlock, or SURROGATE_AUTO */
} surrogate_options;

#define SURROGATE_OPTIONS_INIT \
    ((surrogate_options){ SURROGATE_SCALE_ONE, 1, SURROGATE_AUTO, SURROGATE_AUTO })

/* What will be generated, to the last transition. */
typedef struct surrogate_summary {
    const char *name; /* of the row; borrowed from the manifest */
    uint64_t scale, seed;
    manifest_facts facts;    /* of the surrogate: the row's, when the scale is 1 */
    state_id reachable;      /* the others have no transitions and the last numbers */
    uint32_t levels;         /* of a breadth-first search */
    uint32_t deadlock_depth; /* level of the first deadlock, or SURROGATE_NONE */
    uint32_t livelock_depth; /* level of the first state on a hidden cycle, or ..._NONE */
} surrogate_summary;

typedef struct surrogate_plan surrogate_plan;

/**
 * Resolve options to a plan.  Local, does not block; 32 bytes per level.
 * 0; ERR_USAGE with the feasible range when the wishes cannot be met; ERR_LIMIT.
 */
int surrogate_plan_open(surrogate_plan **out, mem *m, const manifest_row *row,
                        const surrogate_options *o, err *e);
void surrogate_plan_close(surrogate_plan *p);

const surrogate_summary *surrogate_plan_summary(const surrogate_plan *p);

/** The labels of a surrogate, complete.  Owned by the caller.  0 or ERR_LIMIT. */
int surrogate_labels(label_table **out, const surrogate_plan *p, err *e);

/** The counts to open a sink with; `labels` is borrowed. */
lts_shape surrogate_shape(const surrogate_plan *p, const label_table *labels);

/**
 * Put all transitions, sources ascending, in memory for the labels and one state.
 * The sink was opened with the shape; the caller commits it.
 * 0, a code of the sink, or ERR_LIMIT (memory, time).  `clock` may be NULL.
 */
int surrogate_write(const surrogate_plan *p, lts_sink *sink, progress *clock, err *e);

/** Write a file in the format of its suffix, whole or not at all.  0 or a code. */
int surrogate_save(const surrogate_plan *p, const char *path, progress *clock, err *e);

/** Does a model with these labels carry the mark of a surrogate? */
bool surrogate_is(const label_table *labels);

#endif
