/*
 * workers.h - the workers of a command: how many, over what, with which detector.
 *
 *     if (workers_open(&w, t, "threads", e) == 0) ...      joins the ranks
 *     workers_close(&w, t);
 */
#ifndef BESPOKE_WORKERS_H
#define BESPOKE_WORKERS_H

#include "comm/comm_bind.h"
#include "comm/comm_sim.h"
#include "tools/command.h"

typedef struct workers {
    const comm_transport *transport;
    const void *options; /* the transport's */
    uint32_t ranks;
    uint32_t threads; /* of a rank; or all that are simulated */
    bool is_sim, counters;
    comm_binding *bind;
    comm_sim_options sim;
    comm_machine machine; /* that is simulated */
} workers;

/* --transport --workers --machine --seed. */
extern const option_group options_transport;

/** What the options say, which are checked against each other; `alone` is the transport of one rank
    where none is named.  Ranks are started, or joined, and all but rank 0 are quiet from then
    on.  Simulated workers are in this process, w->options points into `w`.
    0, ERR_USAGE, or what launch_join fails with. */
int workers_open(workers *w, tool *t, const char *alone, err *e);

/** After the last run; also of one that was not opened. */
void workers_close(workers *w, tool *t);

/** The failure of one rank becomes that of all, who call this together.  Returns e->code. */
int workers_agree(const workers *w, err *e);

static inline uint32_t workers_count(const workers *w) { return w->ranks * w->threads; }

#endif
