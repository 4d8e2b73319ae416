/*
 * mcl_question.h - a formula over a small model, solved and compared with its meaning: what the
 * tests of the encoding and the fuzzer share.
 */
#ifndef BESPOKE_MCL_QUESTION_H
#define BESPOKE_MCL_QUESTION_H

#include "encodings/enc_mcl.h"
#include "tests/wide_model.h"

typedef struct mcl_question {
    mem *m;
    const lts *g;
    mcl *f;
    mcl_equations *q;
    model rows; /* g as the model it is */
    bool wide;  /* the question is asked of a wide_model of g */
    enc_mcl *x;
} mcl_question;

/** 0, or the codes of mcl_parse, mcl_equations_of and enc_mcl_open; to be closed anyway. */
int mcl_question_open(mcl_question *c, mem *m, const char *text, const lts *g,
                      bool acyclic, err *e);
/** The same of a model whose states are met on the fly; `w` is lent. */
int mcl_question_open_wide(mcl_question *c, mem *m, const char *text, const wide_model *w,
                           const enc_mcl_options *o, err *e);
void mcl_question_close(mcl_question *c);

/** Does the formula hold in the initial state, by definition?  At most 64 states. */
bool mcl_question_meaning(const mcl_question *c);

enum { MCL_QUESTION_SOLVERS = 32 };

typedef struct mcl_question_tally {
    uint64_t solved[MCL_QUESTION_SOLVERS]; /* per solver of the registry, auto last */
    uint64_t diagnostics;
} mcl_question_tally;

/**
 * Solve with one solver (a name or "auto").  NULL, or what is wrong, in words: with `choices`
 * also a proof that is not certified, or a part of the model that does not have its value.
 * That a solver refuses the question is fine; `*solved` counts when it does not.
 */
const char *mcl_question_try(const mcl_question *c, const char *solver, bool choices,
                             bool right, uint64_t *solved);

/** The same with every solver and auto, with choices and without. */
const char *mcl_question_try_all(const mcl_question *c, bool right,
                                 mcl_question_tally *t);

#endif
