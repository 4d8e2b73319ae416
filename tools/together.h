/*
 * together.h - a question solved by several workers: mb-dsolve for check, deadlock, livelock, solve.
 */
#ifndef BESPOKE_TOGETHER_H
#define BESPOKE_TOGETHER_H

#include "algorithms/mb_reason.h"
#include "core/distribution.h"
#include "tools/evidence.h"
#include "tools/verdict.h"
#include "tools/workers.h"

/* --dtd --distribution --policy --priority --all-dependencies --two-hops --buffer. */
extern const option_group options_together;

/* What the options say; the workers are open once together_open has returned. */
typedef struct together {
    tool *t;
    workers w;
    distribution_kind kind; /* where states that have numbers live */
    mb_options o;           /* but for the transport's */
    mb_session *session;
    uint64_t *peak; /* bytes of each rank, in the end */
} together;

/** Do the options ask for several workers, or for a solver that has them? */
bool together_wanted(const tool *t);

/** Options that are for several workers, where there are none?  0, or ERR_USAGE. */
int together_refuse(const tool *t, const char *asked, err *e);

/** Can all ranks read this file, or is it a pipe?  `ranks` is how many there are, 0 before they are
    joined: then several that are asked for count.  0, or ERR_INPUT. */
int together_check_file(const tool *t, const char *path, uint32_t ranks, err *e);

/** Read the options, join the ranks and enter both into `v`; before anything large is read.  What
    fails between this and together_close has to fail in all ranks.  0, or a code. */
int together_open(together *x, tool *t, verdict *v, err *e);

/** The end of it, by all ranks: what each has used goes into `v`. */
void together_close(together *x, verdict *v);

/** When the answer is given: `v` points to what is kept here. */
void together_release(together *x);

/**
 * Solve a graph of which `part` are the parts of the workers here, and enter into `v` what became
 * known; all ranks together, who fail alike.  `choices`: a diagnostic will be asked for.
 * 0, ERR_REFUSED, or ERR_LIMIT with the counts so far.
 */
int together_solve(together *x, graph_part *const *part, bool choices, verdict *v,
                   err *e);

/**
 * On the rank of worker 0: the reason, from what was told of it, over the whole graph of the question;
 * `wire` tells of its vertices what they are called among workers.  The codes of evidence_make.
 */
int together_reason(together *x, const mb_reason *r, const graph *g, mb_reason_wire *wire,
                    const void *of, const evidence_question *q, verdict *v, err *e);

#endif
