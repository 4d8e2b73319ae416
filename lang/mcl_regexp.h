/*
 * mcl_regexp.h - UNIX basic regular expressions that must match a whole label.
 */
#ifndef BESPOKE_MCL_REGEXP_H
#define BESPOKE_MCL_REGEXP_H

#include "core/err.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Compile; mcl_regexp_close frees what was made.  0, or ERR_INPUT with the reason (no
 * position), also for expressions so repetitive that compiling them takes all memory;
 * ERR_LIMIT.  After a failure there is nothing to close.
 */
int mcl_regexp_open(regex_t *out, const char *text, size_t bytes, err *e);
void mcl_regexp_close(regex_t *r);

/* Does the expression match all `bytes` bytes of the label? */
bool mcl_regexp_matches(const regex_t *r, const char *label, size_t bytes);

#endif
