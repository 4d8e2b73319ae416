/*
 * naive_aut.h - AUT text read and written in the simplest possible way; see naive_lts.h.
 */
#ifndef BESPOKE_NAIVE_AUT_H
#define BESPOKE_NAIVE_AUT_H

#include "tests/naive_lts.h"

typedef struct naive_rules {
    bool lenient;
    const char *const *hidden; /* names of the hidden label besides `i` */
    size_t hidden_count;
} naive_rules;

/* Read a text.  0, or the line of its first mistake, from 1; then `out` is empty. */
size_t naive_aut_read(naive_lts *out, const char *text, size_t bytes,
                      const naive_rules *rules);

/* The text of an LTS, to be freed.  With `r` the lines differ in blanks, quotes and ends as
   the format allows; without, they look as programs write them. */
char *naive_aut_write(const naive_lts *n, random_stream *r, size_t *bytes);

#endif
