/*
 * mb.h - MB-DSOLVE: a graph solved by several workers, all on all blocks at once.
 *
 *     mb_session *s;
 *     mb_open(&s, &problem, &options, e);      the workers of this rank
 *     mb_run(s, &result, e);                   all ranks together; blocks until all are done
 *     ... mb_value, mb_choice: what is known of own vertices ...
 *     mb_close(s);
 *
 * How it works: docs/MB_DSOLVE.md, and mb_inner.h for the data.
 */
#ifndef BESPOKE_MB_H
#define BESPOKE_MB_H

#include "comm/comm_bind.h"
#include "comm/comm_stats.h"
#include "core/graph_part.h"
#include "core/progress.h"

typedef struct mb_session mb_session;

/* A request for a vertex of another block that nobody has visited: all that have come are taken once
   in an epoch of the block, or each whenever the block is not frozen. */
typedef enum { MB_BATCH, MB_EAGER } mb_policy;

/* Which block is expanded first: the last one, as in the paper, or the first. */
typedef enum { MB_LAST_FIRST, MB_FIRST_FIRST } mb_priority;

enum { MB_BLOCKS_MAX = 120 };

typedef struct mb_options {
    mb_policy policy;
    mb_priority priority;
    bool exhaustive; /* solve all that is reachable, also what the root does not need */
    bool choices;    /* keep what a diagnostic needs */
    bool all_dependencies; /* also where one parent per vertex would do */
    const comm_transport *transport;
    const void *transport_options;
    const dtd_class *detector;
    comm_binding *bind; /* may be NULL */
    bool counters;
    size_t buffer_bytes; /* of one worker; 0: ample */
    bool two_hops;
    uint32_t slice; /* most vertices of one step; 0: as is best */
    mem *m;
    progress *clock; /* may be NULL */
} mb_options;

/* The parts of the workers of this rank, one after the other; the same blocks everywhere. */
typedef struct mb_problem {
    graph_part *const *part;
    uint32_t here; /* parts */
    uint32_t ranks;
} mb_problem;

typedef struct mb_result {
    bool value;               /* of the root, on every rank */
    uint64_t vertices, edges; /* visited; looked at; of all workers */
    uint64_t cross_edges;     /* those of them that lead to another worker */
    uint64_t stable;          /* vertices with a value */
    uint64_t states_met;      /* of a keyed part; else 0 */
    uint64_t virtual_ns;      /* on a simulated machine; 0: on a real one */
} mb_result;

/** NULL when it can solve the graph, else the reason, to follow "does not accept". */
const char *mb_refuses(const graph_part *p);

/** Columns and tables of the workers here.  Local.  0, ERR_LIMIT, ERR_REFUSED. */
int mb_open(mb_session **out, const mb_problem *p, const mb_options *o, err *e);
void mb_close(mb_session *s);

/** Solve; once.  All ranks together; blocks.  0, or the code of the worker that failed first;
    `out` tells how far this rank came even then. */
int mb_run(mb_session *s, mb_result *out, err *e);

/* What a worker of this rank knows of a vertex of its own when the run is over.  Threads that share
   columns may be asked for each other's. */
typedef struct mb_known {
    bool visited, stable, value;
    bool chosen;      /* the value came from this successor alone: */
    worker_id worker; /*   whose it is, */
    vertex_id vertex; /*   and its local number there */
    bool passive;     /* the value is the block's, as nothing said otherwise */
} mb_known;
mb_known mb_knows(const mb_session *s, uint32_t here, vertex_id local);

/* What the workers of all ranks did. */
const comm_stats *mb_stats(const mb_session *s);

#endif
