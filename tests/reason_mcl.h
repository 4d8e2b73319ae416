/*
 * reason_mcl.h - a formula over an LTS, solved in parts who then say why: numbered parts of ranks
 * and threads, or keyed ones; all in one process, or those of one rank.
 */
#ifndef BESPOKE_REASON_MCL_H
#define BESPOKE_REASON_MCL_H

#include "tests/mcl_question.h"
#include "tests/reason_case.h"

typedef struct reason_mcl {
    const mcl_question *q; /* whole; wide, and then keyed parts of its model are made */
    const wide_model *wide;
    distribution_kind kind;
    worker_id ranks, threads;
    int rank; /* whose parts are here; negative: those of all ranks, one thread each */
    bool right;
    mb_options o;
} reason_mcl;

/** NULL, or what is wrong; *refused: the solver does not take the formula. */
const char *reason_mcl_run(const reason_mcl *c, random_stream *chance, bool *refused);

#endif
