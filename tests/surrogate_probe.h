/*
 * surrogate_probe.h - a sink that keeps what is put into it, and everything a surrogate
 * promises found out again from the transitions alone, in the simplest way.
 * Aborts when memory fails.
 */
#ifndef BESPOKE_SURROGATE_PROBE_H
#define BESPOKE_SURROGATE_PROBE_H

#include "vlts_bench/surrogate.h"

typedef struct probe_edge {
    state_id from, to;
    label_id label;
} probe_edge;

typedef struct surrogate_probe {
    lts_sink base;
    probe_edge *edges; /* owned; in the order they came */
    size_t count, room;
    size_t fail_at;       /* the put with this number, from 1, fails; 0 = none */
    label_table *labels;  /* owned */
    lts_shape shape;      /*   */
    uint64_t fingerprint; /* of all edges and their order */
} surrogate_probe;

/* Generate a plan into a new probe.  0 or a code, as surrogate_write says. */
int surrogate_probe_fill(surrogate_probe *x, const surrogate_plan *p, size_t fail_at,
                         err *e);
void surrogate_probe_close(surrogate_probe *x);

/* What is wrong, in words, or NULL: facts, order, reachability, numbering, levels, depths,
   twice the same transition. */
const char *surrogate_probe_fault(const surrogate_probe *x, const surrogate_summary *s);

#endif
