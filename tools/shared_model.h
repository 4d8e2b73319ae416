/*
 * shared_model.h - a MODEL that the workers of several ranks have together, and a formula on it.
 *
 * An LTS in a file is spread over the ranks; a network or a plug-in is opened by each of them.
 */
#ifndef BESPOKE_SHARED_MODEL_H
#define BESPOKE_SHARED_MODEL_H

#include "encodings/enc_mcl_part.h"
#include "models/lts_share.h"
#include "tools/model_arg.h"
#include "tools/together.h"

typedef struct shared_model {
    model *model;         /* owned; of an LTS the rows of this rank */
    lts_share share;      /* of an LTS: where its states are, and how many there are */
    enc_mcl_parts *parts; /* owned */
    graph_part **part;    /* of the workers here */
} shared_model;

/** By all ranks together, who succeed or fail alike.  The codes of lts_share_open and
    model_arg_open. */
int shared_model_open(shared_model *s, const model_arg *a, const together *x, err *e);

/** The parts of a formula on it, likewise.  0 or ERR_LIMIT. */
int shared_model_encode(shared_model *s, const mcl_equations *q, bool acyclic,
                        const together *x, err *e);
void shared_model_close(shared_model *s);

#endif
