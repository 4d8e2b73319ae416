/*
 * netbench.h - what a net of workers can do: message rates, latency, how soon an end is noticed.
 *
 * Every measurement is a program of comm_run, so it goes through batches, handlers and credits as a
 * solver does.  All ranks call it together; the figures are right on rank 0.
 */
#ifndef BESPOKE_NETBENCH_H
#define BESPOKE_NETBENCH_H

#include "comm/comm_machine.h"
#include "comm/comm_run.h"
#include "comm/comm_stats.h"

typedef struct netbench {
    const comm_transport *transport;
    const void *options; /* the transport's */
    uint32_t ranks, threads;
    size_t buffer_bytes; /* of one worker */
    comm_binding *bind;
    bool counters;
    mem *m;
} netbench;

#define NETBENCH_PATTERNS(X) \
    X(UNIFORM, "uniform")    \
    X(TO_ONE, "all-to-one")  \
    X(RING, "ring")
#define NETBENCH_ENUM(id, name) NETBENCH_##id,
typedef enum { NETBENCH_PATTERNS(NETBENCH_ENUM) NETBENCH_PATTERN_COUNT } netbench_pattern;
#undef NETBENCH_ENUM
const char *netbench_pattern_name(netbench_pattern p);

typedef struct netbench_rate {
    netbench_pattern pattern;
    uint32_t bytes;     /* of a message */
    size_t batch_bytes; /* 0: as the memory allows */
    double per_second;  /* messages of all workers */
    comm_stats *stats;  /* filled in; NULL: not wanted */
} netbench_rate;

/** Send as many messages as go in `seconds` of the transport's clock; fills in per_second. */
int netbench_measure_rate(const netbench *b, netbench_rate *r, double seconds, err *e);

typedef struct netbench_delay {
    double median_us;
    double letters; /* of all workers, for one detection */
    uint64_t detections;
} netbench_delay;

/** From the first worker to the last and back, time and again; half of the median. */
int netbench_measure_latency(const netbench *b, double *us, double seconds, err *e);

/** A message wanders over the workers and stops; from then until the worker where it stopped hears
    of the end. */
int netbench_measure_delay(const netbench *b, const dtd_class *detector,
                           netbench_delay *out, double seconds, err *e);

/** Change the keys of `machine` that a measurement shows until its simulation comes as near as it can
    to these rates and this latency of `measured`, in some seconds; *worst: the largest deviation that
    is left, as a share. */
int netbench_fit(const netbench *measured, const netbench_rate *rate, size_t rates,
                 double latency_us, comm_machine *machine, double *worst, err *e);

/* For these: open a net, run, close. */
int netbench_run(const netbench *b, comm_config *config, const comm_program *p,
                 void *input, err *e);

/* What programs measure with: the clock of their transport; the input of every program begins so. */
typedef struct netbench_clock {
    const comm_net *net;
    uint64_t budget;   /* nanoseconds */
    comm_stats *stats; /* of the run; NULL: not wanted */
} netbench_clock;

static inline uint64_t netbench_now(const netbench_clock *k, worker_id me)
{
    return comm_net_class(k->net)->clock(comm_net_transport(k->net), me);
}

/* The middle one of `count` numbers, which are sorted; 0 of none. */
double netbench_median(double *x, size_t count);

#endif
