/*
 * mb_reason.h - why the root has its value, after several workers have found it.
 *
 *     mb_run(s, &result, e);                           with mb_options.choices
 *     mb_reason_walk(&r, s, NULL, e);                  all ranks together
 *     ... where worker 0 is, with the whole graph g of the question, or enough of it ...
 *     solution_open(&found, m, g, true, e);
 *     mb_reason_fill(r, &found, enc_bes_part_wire, parts, e);
 *     proof_open(&p, m, g, &found, g->root, e);        and on as after any solver
 *
 * Every worker walks its own vertices of the proof, breadth-first from the root over the edges that
 * proof.h keeps.  Worker 0 is told each of them and the successor that it keeps, by wire forms
 * (core/graph_part.h), which mean the same on all workers.
 *
 * Where no rank has the whole model its rows are gathered on the way (encodings/enc_mcl_rows.h); then
 * only vertices of the proof have rows, so that it cannot be shortened (diag.h).  Elsewhere it
 * can: what the solution does not know is looked at anew.
 */
#ifndef BESPOKE_MB_REASON_H
#define BESPOKE_MB_REASON_H

#include "algorithms/mb.h"
#include "algorithms/solution.h"

/* What worker 0 was told. */
typedef struct mb_reason mb_reason;

/* What it shall be told besides: records about vertices of the proof, so that the rows of a model
   that no rank has as a whole can be gathered on the way.  NULL: nothing. */
typedef struct mb_reason_rows {
    void *self;
    uint32_t words; /* of a record, 1 .. 16 */
    /* On the owner, its thread: record i of its vertex, asked for i = 0, 1, ... until false. */
    bool (*next)(void *self, uint32_t here, vertex_id v, uint32_t i, uint32_t *record);
    /* On worker 0, its thread.  Those of a vertex come in order, others between them. */
    int (*take)(void *self, const uint32_t *record, err *e);
} mb_reason_rows;

/**
 * Walk the proof of the root.  All ranks together; blocks; once, after mb_run has succeeded.
 * `*out` is for the rank of worker 0, NULL elsewhere; its memory is proportional to the proof.  0,
 * or the code of the worker that failed first: ERR_LIMIT, what a row failed with, and ERR_SYSTEM
 * when a value does not follow from others: a bug of ours.
 */
int mb_reason_walk(mb_reason **out, mb_session *s, const mb_reason_rows *rows, err *e);
void mb_reason_close(mb_reason *r);

/* Vertices of the proof. */
uint64_t mb_reason_count(const mb_reason *r);

/* The wire form of a vertex of the whole graph. */
typedef void mb_reason_wire(const void *of, vertex_id v, uint32_t *wire);

/**
 * Enter the proof into a solution over the whole graph: values and choices of its vertices, and of no
 * others.  Local.  Rows of these vertices are looked at.  0; ERR_LIMIT or the graph's trouble;
 * ERR_SYSTEM when it was told of something else than this graph: a bug of ours.
 */
int mb_reason_fill(const mb_reason *r, solution *s, mb_reason_wire *wire, const void *of,
                   err *e);

#endif
