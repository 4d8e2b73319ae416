/*
 * aut_line.h - one line of an AUT file.
 *
 * Two readers of the same grammar.  aut_quick_read (aut_quick.h) takes the shapes that programs write,
 * `(1,"a",2)` and `(1, a, 2)`, without looking at a byte twice, and gives up on anything
 * else; aut_line_read takes every legal line and names what is wrong with the others.
 */
#ifndef BESPOKE_AUT_LINE_H
#define BESPOKE_AUT_LINE_H

#include "core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct aut_line {
    uint64_t from, to;
    const char *label; /* borrowed from the line, outer quotes taken off */
    size_t label_bytes;
    const char *from_at, *to_at; /* where the two numbers stand, for messages */
} aut_line;

typedef enum {
    AUT_LINE_WRONG = -1,
    AUT_LINE_BLANK = 0,
    AUT_LINE_TRANSITION = 1
} aut_line_kind;

/**
 * Read line[0 .. bytes-1], without its '\n'.  On AUT_LINE_WRONG the message is in `e`,
 * without a position, and *wrong_at points to the offending byte.
 */
aut_line_kind aut_line_read(aut_line *out, const char *line, size_t bytes,
                            const char **wrong_at, err *e);

/* The first line: counts that may be unknown (`?`, left by an interrupted writer). */
typedef struct aut_header {
    uint64_t initial, transitions, states;
    bool transitions_known, states_known;
    const char *initial_at, *transitions_at, *states_at; /* where they stand */
} aut_header;

/** The same contract for `des (initial, transitions, states)`: 0 or ERR_INPUT. */
int aut_header_read(aut_header *out, const char *line, size_t bytes,
                    const char **wrong_at, err *e);

/* A label is printable; returns the first byte that is not, or NULL. */
const char *aut_label_wrong_byte(const char *label, size_t bytes);

#endif
