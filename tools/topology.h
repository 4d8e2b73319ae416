/*
 * topology.h - the machine as this process sees it: from hwloc where it is compiled in,
 * otherwise what the C library knows.
 */
#ifndef BESPOKE_TOPOLOGY_H
#define BESPOKE_TOPOLOGY_H

#include "core/err.h"

#include <stddef.h>
#include <stdint.h>

enum { TOPOLOGY_CACHES_MAX = 8, TOPOLOGY_CPUS_BYTES = 256 };

typedef struct topology_cache {
    char name[16];  /* "L1d", "L2", "L3" */
    uint64_t bytes; /* of one */
    unsigned count;
} topology_cache;

typedef struct topology {
    const char *source;      /* "hwloc" or "libc" */
    unsigned packages;       /* sockets; 0 = unknown, as everywhere here */
    unsigned numa_nodes;     /* memories */
    unsigned cores;          /* of the machine */
    unsigned threads;        /* hardware threads of the machine */
    unsigned allowed;        /* hardware threads this process may use */
    uint64_t memory_bytes;   /* of the machine */
    uint64_t memory_allowed; /* to this process, by control groups and Slurm too */
    topology_cache cache[TOPOLOGY_CACHES_MAX];
    size_t caches;
    char allowed_cpus[TOPOLOGY_CPUS_BYTES]; /* which, "0-3,8"; cut with "..." */
} topology;

/** Look at the machine; a few milliseconds.  0, or ERR_SYSTEM. */
int topology_read(topology *out, err *e);

#endif
