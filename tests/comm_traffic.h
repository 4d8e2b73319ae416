/*
 * comm_traffic.h - messages by a rule that sender and receiver know: what a worker must get, from
 * whom and in which order is computed again by the receiver, one message at a time.
 */
#ifndef BESPOKE_COMM_TRAFFIC_H
#define BESPOKE_COMM_TRAFFIC_H

#include "comm/comm_run.h"

typedef enum {
    TRAFFIC_UNIFORM,
    TRAFFIC_TO_ONE,
    TRAFFIC_SELF,
    TRAFFIC_RING,
    TRAFFIC_BURSTS,
    TRAFFIC_PATTERNS
} traffic_pattern;

/* What all workers add to; in memory that all ranks see. */
typedef struct traffic_board {
    _Atomic uint64_t wrong, received;
} traffic_board;

typedef struct traffic {
    traffic_pattern pattern;
    uint32_t workers, messages; /* messages: of each worker */
    uint32_t widths[4], kinds;
    const char *detector; /* NULL: the run ends when all is sent and drained */
    size_t buffer_bytes, batch_bytes;
    uint32_t reserve; /* messages promised before each slice; 0: none, so FULL may come */
    bool two_hops;
    uint64_t seed;
    uint32_t ranks;       /* 0: one */
    traffic_board *board; /* zero at the start; NULL: one of its own */
} traffic;

typedef struct traffic_result {
    err e;
    uint64_t wrong; /* messages that were not the next expected, or were missing */
    uint64_t received, full, aside, passed, batches;
    uint32_t window;          /* the largest of all workers */
    size_t buffers;           /* bytes of all ends */
    size_t peak;              /* of the account, over all of the run */
    uint64_t digest, time_ns; /* of the simulator */
} traffic_result;

/* Run it; options are the transport's. */
traffic_result traffic_run(const traffic *t, const comm_transport *transport,
                           const void *options);

#endif
