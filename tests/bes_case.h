/*
 * bes_case.h - one system solved by one solver and compared with the naive solution: what
 * the random tests and the fuzzer share.
 */
#ifndef BESPOKE_BES_CASE_H
#define BESPOKE_BES_CASE_H

#include "lang/bes.h"

typedef struct bes_case {
    const bes *b;
    const uint8_t *right;  /* the naive solution */
    const char *algorithm; /* a name or "auto" */
    vertex_id root;
    bool choices, exhaustive;
    bool all; /* ask for every vertex, on one resolution */
} bes_case;

/** NULL, or what is wrong, in words.  Refused systems are fine; `*solved` says which it was. */
const char *bes_case_run(const bes_case *c, mem *m, bool *solved);

#endif
