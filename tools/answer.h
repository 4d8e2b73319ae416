/*
 * answer.h - stdout, which holds the answer and nothing else.
 *
 * Commands print with stdio or hand over a JSON object.  Nobody checks every printf: the
 * stream remembers a failure, and answer_finish tells it (a full disk is status 4).
 */
#ifndef BESPOKE_ANSWER_H
#define BESPOKE_ANSWER_H

#include "core/err.h"

#include <jansson.h>

/** Print an object on one line and free it.  0, or ERR_SYSTEM (memory). */
int answer_json(json_t *take, err *e);

/* A JSON string of any bytes: what is not UTF-8 becomes the replacement character. */
json_t *answer_json_text(const char *text);

/** Flush and close stdout.  0, or ERR_SYSTEM when any of the answer was lost. */
int answer_finish(err *e);

#endif
