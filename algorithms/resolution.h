/*
 * resolution.h - a graph solved block by block, blocks calling later blocks.
 */
#ifndef BESPOKE_RESOLUTION_H
#define BESPOKE_RESOLUTION_H

#include "algorithms/algorithm.h"
#include "core/log.h"

typedef struct resolution resolution;

typedef struct resolution_options {
    const char *algorithm; /* name of one for all blocks, or "auto": per block */
    bool choices;          /* keep what a diagnostic needs */
    bool exhaustive; /* solve all that is reachable; edges then counts all there are */
    progress *clock; /* may be NULL */
    const log_sink *log;
} resolution_options;

/**
 * Choose a solver per block.  `g` is borrowed.
 * 0; ERR_USAGE for an unknown name; ERR_REFUSED when it, or with auto every one, does not
 * accept a block; ERR_LIMIT.
 */
int resolution_open(resolution **out, mem *m, const graph *g, const resolution_options *o,
                    err *e);
void resolution_close(resolution *r);

/**
 * The value of a vertex; results persist from call to call.  A vertex of a single-entry block
 * may be asked for only if it is the entry.  0, or ERR_LIMIT or what the graph failed with:
 * then the counts of the solution are what was done so far, and nothing more can be asked.
 */
int resolution_solve(resolution *r, vertex_id v, bool *value, err *e);

const solution *resolution_solution(const resolution *r);

/* Graph, blocks and what was found, for who goes on with it: diag.h. */
const run *resolution_run(const resolution *r);

/** A block as its solver sees it: without a single entry when all is to be solved. */
const graph_block *resolution_block(const resolution *r, uint32_t block);

/** Which solver a block got, and (auto) the reason in words. */
const algorithm *resolution_solver(const resolution *r, uint32_t block);
const char *resolution_reason(const graph_block *b, bool choices);

#endif
