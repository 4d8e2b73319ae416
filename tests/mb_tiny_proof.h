/*
 * mb_tiny_proof.h - what is said of vertices, compared with the naive solution; and the diagnostic that
 * follows from it, checked by its definition.
 */
#ifndef BESPOKE_MB_TINY_PROOF_H
#define BESPOKE_MB_TINY_PROOF_H

#include "encodings/enc_bes_part.h"
#include "tests/mb_family.h"

typedef struct mb_tiny_proof {
    const bes *b;
    const uint8_t *right; /* the naive solution */
    const enc_bes_parts *parts;
    const mb_family *family;
    worker_id workers;
    bool exhaustive;
} mb_tiny_proof;

/* NULL, or what is wrong, in words.  In the middle of a run: no stable value is. */
const char *mb_tiny_proof_values(const mb_tiny_proof *p, const mb_session *s);

/* At the end: the verdict; figures of an exhaustive run; and that from the root on choices lead to a
   proof (mb-dsolve: all successors of a neutral value, one of an absorbing value, no cycle
   in a block where that would not do). */
const char *mb_tiny_proof_end(const mb_tiny_proof *p, const mb_session *s);

#endif
