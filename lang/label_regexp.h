/*
 * label_regexp.h - UNIX basic regular expressions over labels, for all languages.
 */
#ifndef BESPOKE_LABEL_REGEXP_H
#define BESPOKE_LABEL_REGEXP_H

#include "core/err.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Compile, with `fold` for any case; label_regexp_close frees what was made.  0, or ERR_INPUT
 * with the reason (no position), also for expressions so repetitive that compiling them takes
 * all memory; ERR_LIMIT.  After a failure there is nothing to close.
 */
int label_regexp_open(regex_t *out, const char *text, size_t bytes, bool fold, err *e);
void label_regexp_close(regex_t *r);

/* Does the expression match all `bytes` bytes of the label? */
bool label_regexp_matches(const regex_t *r, const char *label, size_t bytes);

/**
 * The leftmost longest match in `label` from byte `from` on, and its groups: match[0 .. n-1],
 * as offsets in the label.  What lies before `from` is seen by ^ and \<.
 */
bool label_regexp_find(const regex_t *r, const char *label, size_t bytes, size_t from,
                       regmatch_t *match, size_t n);

#endif
