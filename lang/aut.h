/*
 * aut.h - the Aldebaran text format, read and written.
 *
 *     des (0, 2, 2)              initial state, transitions, states
 *     (0, "SEND !1", 1)          from, label, to; any order
 *     (1, i, 0)                  i is hidden; labels need quotes unless they are identifiers
 *
 * There is no escape: the label lies between the first and the last comma of its line, and
 * one outer pair of quotes is taken off.  Blanks are free between tokens; blank lines, CRLF
 * and a missing last newline are accepted.
 */
#ifndef BESPOKE_AUT_H
#define BESPOKE_AUT_H

#include "core/lts.h"
#include "core/lts_sink.h"
#include "lang/load_options.h"

/**
 * Read a file, plain or compressed, with several threads; the result does not depend on
 * their number.  0, or ERR_INPUT with file:line:column, ERR_LIMIT.  On failure `out` is
 * empty.
 */
int aut_read(lts *out, const char *path, const load_options *o, err *e);

/**
 * Open a sink that writes AUT text to `path` (compressed by suffix).
 * ERR_REFUSED when a label cannot be written: AUT has printable ASCII only.
 */
int aut_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e);

#endif
