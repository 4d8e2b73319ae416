/*
 * wide_model.h - an LTS as a model whose states are met on the fly: its keys are wide and
 * scrambled, its moves come twice now and then, and it can be told to fail.
 */
#ifndef BESPOKE_WIDE_MODEL_H
#define BESPOKE_WIDE_MODEL_H

#include "core/model.h"

enum { WIDE_MODEL_WORDS = 8 };

typedef struct wide_model {
    model base; /* first */
    const lts *g;
    uint32_t initial[WIDE_MODEL_WORDS];
    bool doubles; /* every third move is there twice */
    state_id
        fails_at; /* asking for the moves of this state is an ERR_INPUT; or STATE_NONE */
    _Atomic uint64_t asked; /* how often moves were asked for */
    int open_contexts;
} wide_model;

/** `words` from 1 to WIDE_MODEL_WORDS; `g` is lent, memory is taken from its account. */
void wide_model_open(wide_model *w, const lts *g, uint32_t words);

/** The same LTS as the explicit model it is. */
model wide_model_explicit(const lts *g);

#endif
