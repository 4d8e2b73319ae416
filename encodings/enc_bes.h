/*
 * enc_bes.h - a Boolean equation system as a graph: the question it already is.
 */
#ifndef BESPOKE_ENC_BES_H
#define BESPOKE_ENC_BES_H

#include "core/graph.h"
#include "lang/bes.h"

typedef struct enc_bes enc_bes;

typedef struct enc_bes_options {
    vertex_id root;  /* the vertex of interest */
    bool any_vertex; /* others will be asked for too: no block is single-entry */
} enc_bes_options;

/**
 * The graph of what `root` may depend on: its block and those reachable from it, and what can
 * be promised of their shapes (one pass over them).  `b` is borrowed and outlives it.
 * 0 or ERR_LIMIT.
 */
int enc_bes_open(enc_bes **out, const bes *b, const enc_bes_options *o, err *e);
void enc_bes_close(enc_bes *x);

const graph *enc_bes_graph(const enc_bes *x);

#endif
