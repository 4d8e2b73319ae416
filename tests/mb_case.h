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
    size_t buffer_bytes;
    uint32_t slice;
} mb_case;

/* NULL, or what is wrong, in words; `out` may be NULL. */
const char *mb_case_run(const mb_case *c, mb_result *out);

#endif
