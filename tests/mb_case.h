/*
 * mb_case.h - one Boolean equation system solved by several workers and compared with the naive
 * solution, vertex by vertex.
 */
#ifndef BESPOKE_MB_CASE_H
#define BESPOKE_MB_CASE_H

#include "algorithms/mb.h"
#include "lang/bes.h"

typedef struct mb_case {
    const bes *b;
    const uint8_t *right;   /* the naive solution */
    const worker_id *owner; /* per vertex; NULL: by hash */
    worker_id workers;
    vertex_id root;
    bool exhaustive, choices, all_dependencies, two_hops;
    mb_policy policy;
    mb_priority priority;
    const char *detector, *transport;
    uint64_t seed; /* of the simulator */
    bool chaos;
    size_t buffer_bytes; /* MB_CASE_LEAST: the least that is accepted */
    uint32_t slice;
    size_t
        fail_at; /* the allocation that fails; then that is to be said, else it is wrong */
    uint32_t ranks; /* 0: one; all call together */
} mb_case;

enum { MB_CASE_LEAST = 1 };

/* NULL, or what is wrong, in words; `out` may be NULL.  After exhaustive runs the figures are
   those of all that is reachable. */
const char *mb_case_run(const mb_case *c, mb_result *out);

/* The case in words, and the system in a file of this name. */
void mb_case_report(const mb_case *c, const char *file, const char *wrong);

#endif
