/*
 * comm_run.h - the loop of a distributed algorithm: poll, step, flush, detect, rest.
 *
 * An algorithm is open, step, close, for each worker.  A step does a bounded slice of work and says
 * how it went; the loop belongs to the run, so that the same algorithm works on threads, over a
 * network and in the simulator.
 */
#ifndef BESPOKE_COMM_RUN_H
#define BESPOKE_COMM_RUN_H

#include "comm/comm_figures.h"
#include "comm/comm_transport.h"
#include "core/counters.h"
#include "core/progress.h"

typedef enum {
    COMM_STEP_BUSY, /* more to do */
    COMM_STEP_IDLE, /* nothing, until something arrives or is announced */
    COMM_STEP_FULL, /* something, when there is room */
    COMM_STEP_DONE  /* nothing ever; handlers may still be called, steps not */
} comm_step;

typedef struct comm_program {
    /* A worker begins.  `input` is that of comm_run.  0, or a code; *self may be set even then. */
    int (*open)(void **self, comm *c, void *input, err *e);
    /* A slice of work; what it returns when it has set `e` does not matter. */
    comm_step (*step)(void *self, comm *c, err *e);
    /* The end, one worker after the other; NULL is passed too if open was not reached. */
    void (*close)(void *self);
} comm_program;

/* Where the time of a worker went, in nanoseconds of its transport's clock: steps that did
   something, polls, steps that met full buffers, and the rest.  They add up to all of it. */
typedef struct comm_report {
    uint64_t busy, polling, stalled, idle;
    comm_count count;         /* its arrays live as long as the net */
    counters_values counters; /* if they were asked for */
} comm_report;

/* How a run is watched; the same on all ranks but for the clock, of which rank 0's counts. */
typedef struct comm_watch {
    /* Its phase has begun: the first figure is what is done, others stand behind it; and when its time
       is up, the run ends with ERR_LIMIT on all ranks.  NULL: none. */
    progress *clock;
    const char *const
        *figures; /* what comm_figures are called: at most COMM_FIGURES_OWN, then NULL */
    uint64_t period_ns; /* between figures; 0: as a line needs it */
    bool counters;      /* count, where a worker's thread is a real one */
} comm_watch;

/** Run a program on all workers of a net, once; blocks until all are done and nothing is under way.
    `reports`: one per worker of this rank, or NULL.  0, or the code of the worker that failed first, or
    ERR_SYSTEM: nobody can move (in the simulator; elsewhere that is a hang). */
int comm_run(comm_net *n, const comm_program *p, void *input, comm_report *reports,
             err *e);

/** The same, watched.  Whatever ends the run, reports tell how far it came: a limit that one worker
    meets (ERR_LIMIT from its step) ends all, and comm_stats adds up what they did. */
int comm_run_watched(comm_net *n, const comm_program *p, void *input, const comm_watch *w,
                     comm_report *reports, err *e);

#endif
