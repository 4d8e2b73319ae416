/*
 * lts_model.h - an explicit LTS as a model: its keys are the numbers of its states.
 */
#ifndef BESPOKE_LTS_MODEL_H
#define BESPOKE_LTS_MODEL_H

#include "core/model.h"

/** The LTS becomes the model's, also on failure; `path` is where it was read from, or NULL.
    0, or ERR_LIMIT: memory, or a state with 2^32 transitions or more. */
int lts_model_open(model **out, lts *take, const char *path, err *e);

#endif
