/*
 * comm_stats.h - what the workers of a run did, of all ranks: the sum, the least and the most.
 */
#ifndef BESPOKE_COMM_STATS_H
#define BESPOKE_COMM_STATS_H

#include "comm/comm_run.h"

#include <stdio.h>

/* Figures of a worker: id, unit, what is said in the table.  Behind them come counters, then
   messages sent by kind. */
#define COMM_STATS_LIST(X)                             \
    X(BUSY, NANOSECONDS, "busy")                       \
    X(POLLING, NANOSECONDS, "polling")                 \
    X(STALLED, NANOSECONDS, "stalled on full buffers") \
    X(IDLE, NANOSECONDS, "idle")                       \
    X(CONTROL, NUMBER, "control letters")              \
    X(BATCHES, NUMBER, "batches")                      \
    X(BYTES, BYTES, "bytes")                           \
    X(PAYLOAD, BYTES, "bytes of messages")             \
    X(ROOM, BYTES, "room in batches")                  \
    X(FILL, SHARE, "batches are filled")               \
    X(FULL, NUMBER, "sends refused")                   \
    X(PASSED, NUMBER, "messages passed on")
#define COMM_STATS_ENUM(id, unit, doc) COMM_STATS_##id,
enum {
    COMM_STATS_LIST(COMM_STATS_ENUM) COMM_STATS_COUNTERS,
    COMM_STATS_KINDS = COMM_STATS_COUNTERS + COUNTERS_COUNT,
    COMM_STATS_MOST = COMM_STATS_KINDS + COMM_KINDS_MAX,
    COMM_STATS_NAME_BYTES = 24
};
#undef COMM_STATS_ENUM

/* A figure over all workers that know it. */
typedef struct comm_stat {
    uint64_t known; /* how many do; 0: nothing else counts */
    uint64_t sum, least, most;
    worker_id least_at, most_at; /* the first of them */
} comm_stat;

/* No pointers: it outlives the net. */
typedef struct comm_stats {
    uint32_t workers, kinds;
    comm_stat of[COMM_STATS_MOST]; /* COMM_STATS_KINDS + kinds of them are used */
    char name[COMM_KINDS_MAX][COMM_STATS_NAME_BYTES]; /* of kinds */
} comm_stats;

/** From the reports of a run that has ended, well or not; `reports` are those of the workers here (NULL:
    nobody knows of them), and the net is still open.  All ranks call it together and get the same; waits without blocking.
    FILL's sum is that of all batches together. */
void comm_stats_collect(comm_stats *s, comm_net *n, const comm_report *reports);

/* The sum of messages of a kind; 0 of one that is not there. */
uint64_t comm_stats_sent(const comm_stats *s, const char *kind);

/* A table: a line per figure with sum, least and most and which worker that was; what nobody knows or
   nobody did is left out. */
void comm_stats_print(const comm_stats *s, FILE *into);

#endif
