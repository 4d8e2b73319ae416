/*
 * asking.h - a formula asked of a model, while it is asked; for question*.c alone.
 */
#ifndef BESPOKE_ASKING_H
#define BESPOKE_ASKING_H

#include "tools/evidence.h"
#include "tools/question.h"

/* One run of a command, with what the answer will say. */
typedef struct asking {
    tool *t;
    question q;
    model_arg in;
    uint64_t model_hash;
    verdict v;
} asking;

/* What is known of the model. */
void asking_facts(verdict *v, const model *s);

/** What an implicit model was made from is known when it is open: no output falls upon it.  0 or
    ERR_USAGE. */
int asking_origin(asking *a, const model *s, err *e);

/* What a certificate says of the question. */
evidence_question asking_evidence(const asking *a, const enc_mcl *encoding,
                                  const label_table *labels);

/** By several workers, from the loading to the answer (question_together.c). */
int question_together(asking *a, err *e);

#endif
