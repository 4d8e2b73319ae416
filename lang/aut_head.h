/*
 * aut_head.h - the first line of an AUT file, and whether the rest bears it out.
 * Positions in messages are file:line:column, both from 1.
 */
#ifndef BESPOKE_AUT_HEAD_H
#define BESPOKE_AUT_HEAD_H

#include "core/ids.h"
#include "lang/aut_line.h"
#include "lang/load_options.h"
#include "lang/text_blocks.h"

typedef struct aut_head {
    const char *path;            /* borrowed */
    const load_options *options; /* borrowed */
    aut_header counts;
    text_block first; /* the block with the header; all before it are blank */
    size_t at, bytes; /* where in it the header begins, and where the line behind it */
    uint64_t line;    /* of the header, from 1 */
    uint64_t offset;  /* in the (decoded) file, of the line behind it */
} aut_head;

static inline aut_head aut_head_of(const char *path, const load_options *o)
{
    return (aut_head){ .path = path, .options = o };
}

/** Take blocks up to the one with the header and check it.  0, or a code with the position. */
int aut_head_read(aut_head *h, text_blocks *from, err *e);
void aut_head_close(aut_head *h);

/* States below it are legal in the body. */
static inline uint64_t aut_head_limit(const aut_head *h)
{
    return h->options->lenient ? STATES_MAX : h->counts.states;
}

/** Put the position before the message of a failure.  A limit has no place.  Its code. */
int aut_head_locate(const aut_head *h, uint64_t line, uint64_t column, err *e);

/** The body has so many transitions, and all its states are below `end`: do the header's counts
    agree?  Sets the number of states.  0, or ERR_INPUT; lenient: a warning. */
int aut_head_check(const aut_head *h, uint64_t transitions, uint64_t end,
                   state_id *states, err *e);

#endif
