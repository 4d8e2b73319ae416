/*
 * mutate.h - small changes to an input, by chance: the same stream gives the same changes.
 */
#ifndef BESPOKE_MUTATE_H
#define BESPOKE_MUTATE_H

#include "core/random.h"

#include <stddef.h>

enum { MUTATE_ROOM = 1 << 16 }; /* no input grows beyond it */

typedef struct mutate_input {
    char *data; /* owned; MUTATE_ROOM bytes */
    size_t bytes;
} mutate_input;

/* A copy of these bytes, cut at MUTATE_ROOM; aborts when memory fails. */
mutate_input mutate_copy(const char *data, size_t bytes);
void mutate_free(mutate_input *in);

/* One change anywhere: bits and bytes flipped, inserted, removed, stretches moved and doubled,
   a stretch of `other` put in, the end cut off. */
void mutate_bytes(mutate_input *in, const mutate_input *other, random_stream *r);

/* One change that a text feels: a number, a line, a token; or one of the above. */
void mutate_text(mutate_input *in, const mutate_input *other, random_stream *r);

/* One number of 1, 2, 4 or 8 bytes in the stretch of `bytes` bytes at `from`, as far as that
   lies in the input, changes; mostly by little. */
void mutate_word(mutate_input *in, size_t from, size_t bytes, random_stream *r);

#endif
