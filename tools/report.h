/*
 * report.h - a failure, told to a person.
 */
#ifndef BESPOKE_REPORT_H
#define BESPOKE_REPORT_H

#include "core/err.h"
#include "core/log.h"

#include <stdbool.h>

/* Does the text begin with file:line:column: ?  Then editors can jump there. */
bool report_is_located(const char *text);

/* A reached limit, told completely: whose it was, unless the text ends in its name or path
   (may be NULL), and how memory can be had.  Other failures name their file themselves. */
void report_complete_limit(err *e, const char *name, const char *path);

/** Print a failure on stderr: located ones as they are, others after "bespoke: ". */
void report_failure(const log_sink *l, const err *e);

#endif
