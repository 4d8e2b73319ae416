/*
 * suggest.h - what the user probably meant, for commands, options and names alike.
 */
#ifndef BESPOKE_SUGGEST_H
#define BESPOKE_SUGGEST_H

#include "core/err.h"

#include <stddef.h>

/* Looks at one candidate after the other and remembers the nearest. */
typedef struct suggest {
    const char *wrong; /* what was typed */
    const char
        *before;      /* goes before it and before `best` in a sentence: "--", or NULL */
    const char *best; /* nearest so far, or NULL: nothing is near enough */
    size_t distance;  /* of `best` */
} suggest;

#define SUGGEST_INIT(text) ((suggest){ .wrong = (text) })

void suggest_consider(suggest *s, const char *candidate);

/**
 * ERR_USAGE: "WHAT 'WRONG'; did you mean BEST?", and where nothing is near OTHERWISE (NULL =
 * nothing) in place of the question.  Returns the recorded code.
 */
int suggest_refuse(const suggest *s, const char *what, const char *otherwise, err *e);

/* Insertions, deletions, changes and swaps of neighbours that turn a into b. */
size_t suggest_distance(const char *a, const char *b);

#endif
