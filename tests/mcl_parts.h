/*
 * mcl_parts.h - a formula over a model in parts: those of all ranks, in one process.
 */
#ifndef BESPOKE_MCL_PARTS_H
#define BESPOKE_MCL_PARTS_H

#include "encodings/enc_mcl_part.h"

enum { MCL_PARTS_RANKS = 5, MCL_PARTS_WORKERS = 8 };

typedef struct mcl_parts {
    enc_mcl_parts *rank[MCL_PARTS_RANKS];
    graph_part *parts[MCL_PARTS_WORKERS];
    worker_id ranks, threads, workers;
} mcl_parts;

/** `rows` of every rank, or NULL: then `o` has a model; o->rank and o->rows need not be set.
    0 or the code of enc_mcl_part_open; to be closed anyway. */
int mcl_parts_open(mcl_parts *w, const mcl_equations *q, const enc_mcl_part_options *o,
                   lts *rows, err *e);
void mcl_parts_close(mcl_parts *w);

#endif
