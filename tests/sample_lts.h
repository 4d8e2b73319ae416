/*
 * sample_lts.h - small LTSs to test with, and their comparison.
 */
#ifndef BESPOKE_SAMPLE_LTS_H
#define BESPOKE_SAMPLE_LTS_H

#include "core/lts.h"
#include "core/lts_sink.h"

#include <stdbool.h>

typedef struct sample_edge {
    state_id from;
    const char *label;
    state_id to;
} sample_edge;

/* From a table of transitions, sources ascending.  Aborts when memory fails. */
lts sample_lts(mem *m, state_id states, state_id initial, const sample_edge *edges,
               size_t count);

/* Random: `states` states, `transitions` transitions in random rows, `labels` labels, one of
   them hidden, of printable characters with quotes, blanks and commas among them. */
lts sample_lts_random(mem *m, state_id states, uint64_t transitions, label_id labels,
                      uint64_t seed);

/* A table of labels L0, L1, ... */
label_table *sample_labels(mem *m, label_id count);

/* Same counts, initial state, rows, targets, label numbers and texts? */
bool sample_equal(const lts *a, const lts *b);

lts_shape sample_shape(const lts *g);

/* Put all transitions into a sink.  0 or a code. */
int sample_put(const lts *g, lts_sink *sink, err *e);

#endif
