/*
 * watch_job.h - workers that do a known amount of everything, until something stops them; what is said of
 * them afterwards and meanwhile can be checked by whoever knows the rule.
 */
#ifndef BESPOKE_WATCH_JOB_H
#define BESPOKE_WATCH_JOB_H

#include "comm/comm_run.h"
#include "comm/comm_stats.h"

enum { WATCH_JOB_CPUS = 64 };

typedef struct watch_job {
    uint32_t workers, ranks; /* ranks 0: one */
    uint32_t steps;          /* in each a message to everybody; 0: for ever */
    uint32_t slow_us;        /* sleep in each step */
    uint32_t limit_at; /* the step in which worker `limited` meets a limit; 0: none */
    worker_id limited;
    bool two_hops;
    comm_bind_mode bind;
    comm_watch watch;
    const void *options; /* the transport's */
} watch_job;

typedef struct watch_result {
    err e;
    comm_stats stats;
    uint64_t letters_most;           /* of a worker here */
    uint64_t digest;                 /* of the simulator */
    uint32_t bound;                  /* threads of this rank */
    uint64_t on_cpu[WATCH_JOB_CPUS]; /* workers of all ranks that ended there */
    size_t left;                     /* bytes that were not given back */
} watch_result;

watch_result watch_job_run(const watch_job *j, const comm_transport *t);

/* Steps, the worker's number, 5.  Messages are of kind "even" or "odd", as their receiver is. */
extern const char *const watch_job_figures[];

#endif
