/*
 * comm_machine.h - a machine described by numbers, for the simulator: LogGP, cores and nodes.
 *
 * In a file, one `key value` per line; # begins a comment; what is missing keeps its default.
 */
#ifndef BESPOKE_COMM_MACHINE_H
#define BESPOKE_COMM_MACHINE_H

#include "core/err.h"

#include <stddef.h>
#include <stdint.h>

/* name, default, least, what */
#define COMM_MACHINE_KEYS(X)                                                           \
    X(latency_ns, 2000, 0, "from one node to another")                                 \
    X(local_latency_ns, 200, 0, "inside a node")                                       \
    X(overhead_ns, 400, 0, "of a core, to send a batch to another rank or receive it") \
    X(pointer_ns, 50, 0, "of a core, the same inside a rank, where it is not copied")  \
    X(copy_ps, 20, 0, "of a core, per byte that is written or copied, in picoseconds") \
    X(gap_ns, 200, 0, "between two batches of one worker")                             \
    X(byte_ps, 100, 0, "per byte under way, in picoseconds")                           \
    X(step_ns, 100, 1, "a turn of a worker, at least")                                 \
    X(work_ps, 10000, 0, "a unit of work of the algorithm, in picoseconds")            \
    X(rank_workers, 1, 1, "workers of a rank, who share memory")                       \
    X(node_workers, 64, 1, "workers on a node")                                        \
    X(node_cores, 64, 1, "cores of a node; workers that outnumber them take turns")

typedef struct comm_machine {
#define COMM_MACHINE_FIELD(key, value, least, doc) uint64_t key;
    COMM_MACHINE_KEYS(COMM_MACHINE_FIELD)
#undef COMM_MACHINE_FIELD
} comm_machine;

enum { COMM_MACHINE_MOST = 1000000000 }; /* of any value */

void comm_machine_default(comm_machine *m);

/** Read a file; values that it does not name are as they were in `m`.  0, or ERR_INPUT with
    the place. */
int comm_machine_read(comm_machine *m, const char *path, err *e);

#endif
