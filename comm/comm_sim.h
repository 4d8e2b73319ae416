/*
 * comm_sim.h - N virtual workers in one process and one thread, driven by a seed.
 *
 * The transport is comm_transport_find("sim"); these are its options and what it tells.  The same
 * seed, options and program give the same run, event for event, on every machine.
 */
#ifndef BESPOKE_COMM_SIM_H
#define BESPOKE_COMM_SIM_H

#include "comm/comm_machine.h"
#include "comm/comm_transport.h"

typedef struct comm_sim_options {
    const comm_machine *machine; /* NULL: the default one */
    uint64_t seed;
    bool
        chaos; /* delays, slow workers and bursts drawn from the seed; else the machine alone */
    uint64_t
        turns_most; /* turns of all workers after which the run has failed; 0: none */
} comm_sim_options;

typedef struct comm_sim_result {
    uint64_t time_ns; /* virtual, of the last worker */
    uint64_t turns;
    uint64_t digest; /* of all that was posted and when: two runs are the same if it is */
} comm_sim_result;

/* `self` is comm_net_transport's. */
comm_sim_result comm_sim_result_of(const void *self);

#endif
