/*
 * reason_case.h - a question solved by several workers who then say why; the reason is certified.
 */
#ifndef BESPOKE_REASON_CASE_H
#define BESPOKE_REASON_CASE_H

#include "algorithms/mb_reason.h"
#include "core/distribution.h"
#include "core/random.h"

typedef struct reason_case {
    mb_problem p;
    mb_options o; /* but for choices */
    bool right;   /* the value of the root */
    const mb_reason_rows *rows;
} reason_case;

/** Solve and walk.  NULL, or what is wrong, in words; `out` as with mb_reason_walk. */
const char *reason_case_run(const reason_case *c, mb_reason **out);

/** The reason over the whole graph is certified, and mutants of it are refused.  NULL, or what is
    wrong. */
const char *reason_case_check(const mb_reason *r, const graph *g, mb_reason_wire *wire,
                              const void *of, bool right, mem *m, random_stream *chance);

/* Options of a run, drawn; but for what depends on where it runs. */
mb_options reason_case_options(random_stream *chance, mem *m);

/* The rows of one rank, of an LTS whose states have these places; labels are those of `g`: to be
   closed with reason_case_put. */
lts reason_case_cut(const lts *g, const distribution *places, uint32_t rank);
void reason_case_put(lts *rows);

#endif
