/*
 * question.h - a formula asked of a model: what check, deadlock, livelock and certify share.
 */
#ifndef BESPOKE_QUESTION_H
#define BESPOKE_QUESTION_H

#include "core/model.h"
#include "encodings/enc_mcl.h"
#include "tools/command.h"
#include "tools/model_arg.h"

/* A formula and a model, open as far as they got. */
typedef struct question {
    mcl *formula;
    mcl_equations *equations;
    model *model;
    enc_mcl *encoding;
} question;

/* Where the formula is; one of the two. */
typedef struct question_source {
    const char *text;
    const char *file;
    bool one_text; /* macros and libraries are refused */
} question_source;

/* --library-path --dump-bes --acyclic: of the commands that check formulas. */
extern const option_group options_formula;

/**
 * Parse the formula and turn it into equations; no model is needed for that.
 * 0; ERR_INPUT with the place, ERR_REFUSED, ERR_LIMIT.
 */
int question_parse(question *q, tool *t, const question_source *from, err *e);

/** Make the graph; `model` has been opened by now.  0 or ERR_LIMIT. */
int question_encode(question *q, const enc_mcl_options *o, err *e);

/** Warn of labels in the formula that the model, called `name`, does not have. */
void question_warn(const question *q, const char *name);

void question_close(question *q);

/**
 * A whole command: parse, load the model of the first operand, solve, give reasons, answer.
 * `property` is what the answer calls the question.  Returns e->code.
 */
int question_run(tool *t, const question_source *from, const char *property, err *e);

#endif
