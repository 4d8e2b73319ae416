/*
 * mb_gather.h - how worker 0 keeps what it is told of a proof; for mb_walk.c and mb_reason.c alone.
 */
#ifndef BESPOKE_MB_GATHER_H
#define BESPOKE_MB_GATHER_H

#include "algorithms/mb_reason.h"

/** For wire forms of so many words, and a proof of this value.  0 or ERR_LIMIT. */
int mb_gather_open(mb_reason **out, mem *m, uint32_t words, bool value, err *e);

/** A vertex of the proof, and the successor that it keeps; NULL: all.  0, ERR_LIMIT. */
int mb_gather_put(mb_reason *r, const uint32_t *vertex, const uint32_t *choice, err *e);

#endif
