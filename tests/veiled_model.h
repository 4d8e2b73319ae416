/*
 * veiled_model.h - an LTS as a model that does not show it: keys of any width, scrambled, and
 * moves computed when they are asked for.
 */
#ifndef BESPOKE_VEILED_MODEL_H
#define BESPOKE_VEILED_MODEL_H

#include "core/model.h"

/* `g` is borrowed.  `fail_at` not 0: the call of moves with this number, from 1, fails (one
   thread only).  Aborts when memory fails. */
model *veiled_model(mem *m, const lts *g, uint32_t key_words, uint64_t fail_at);

/* The state that a key stands for. */
state_id veiled_state(const model *s, const uint32_t *key);

#endif
