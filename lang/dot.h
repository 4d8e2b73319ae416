/*
 * dot.h - a small LTS as a picture for Graphviz.
 */
#ifndef BESPOKE_DOT_H
#define BESPOKE_DOT_H

#include "core/lts_sink.h"

enum { DOT_STATES_MAX = 10000 };

/** Open a sink that writes a digraph; ERR_REFUSED beyond DOT_STATES_MAX states. */
int dot_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e);

#endif
