/*
 * seq.h - a sequence of labels, one per line (.seq): an LTS that is a path.
 */
#ifndef BESPOKE_SEQ_H
#define BESPOKE_SEQ_H

#include "core/lts_sink.h"

/**
 * Open a sink for a path 0 -> 1 -> 2 ...; initial state 0.
 * ERR_REFUSED, here or when transitions are put, if it is none, or a label cannot be written
 * between double quotes.
 */
int seq_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e);

#endif
