/*
 * comm_bind.h - which cores the workers run on.
 *
 * A binding is opened once by the command and handed to comm_config; transports bind their threads
 * with it for the time of a run.  What may be used is what this process was given: the cpuset of
 * its job, or the cores to which a launcher has bound this rank.  Ranks that were given the same
 * cpus of the same machine share them out among all their workers; a place is such a set of cpus.
 * Without hwloc nothing is ever bound.
 */
#ifndef BESPOKE_COMM_BIND_H
#define BESPOKE_COMM_BIND_H

#include "core/ids.h"
#include "core/mem.h"

#include <stdbool.h>

#define COMM_BIND_MODES(X)                                                          \
    X(AUTO, "auto", "core where every worker of the machine gets one, else none")   \
    X(NONE, "none", "the system moves workers as it likes")                         \
    X(CORE, "core", "a core each, spread over the machine; else a hardware thread") \
    X(NUMA, "numa", "all cores of a memory node")
#define COMM_BIND_ENUM(id, name, doc) COMM_BIND_##id,
typedef enum { COMM_BIND_MODES(COMM_BIND_ENUM) COMM_BIND_MODE_COUNT } comm_bind_mode;
#undef COMM_BIND_ENUM
const char *comm_bind_name(comm_bind_mode mode);

/* By its name; COMM_BIND_MODE_COUNT: there is none. */
comm_bind_mode comm_bind_find(const char *name);

/* ---- the plan: pure ----------------------------------------------------------------------- */

/* A hardware thread that may be used: its number in the system, the numbers of its core and memory
   node among those that may be used, and how many of its core stand before it. */
typedef struct comm_bind_cpu {
    uint32_t os, core, node, sibling;
} comm_bind_cpu;

typedef struct comm_bind_machine {
    comm_bind_cpu *cpu; /* core by core, as the machine has them */
    uint32_t cpus, cores, nodes;
} comm_bind_machine;

/* Does worker `w` of `workers` on this place get hardware thread `i`?  None gets any: no binding. */
bool comm_bind_gives(const comm_bind_machine *m, comm_bind_mode mode, uint32_t workers,
                     uint32_t w, uint32_t i);

/* Are there more workers than hardware threads?  Then none is bound, whatever was asked for. */
bool comm_bind_crowded(const comm_bind_machine *m, uint32_t workers);

/* ---- what is done with it ----------------------------------------------------------------- */

typedef struct comm_binding comm_binding;

/** Look at nothing yet.  0, or ERR_LIMIT: no memory. */
int comm_bind_open(comm_binding **out, comm_bind_mode mode, mem *m, err *e);

/** The machine that `synthetic` describes to hwloc ("pack:2 core:4 pu:2") instead of this one: it
    can be planned for, and nothing is bound.  0, or ERR_USAGE: hwloc does not take it. */
int comm_bind_open_synthetic(comm_binding **out, comm_bind_mode mode,
                             const char *synthetic, mem *m, err *e);
void comm_bind_close(comm_binding *b);

/** The next run has so many workers on this place: read the machine, once, if that can matter; takes
    milliseconds.  `b` may be NULL.  0, or a code. */
int comm_bind_prepare(comm_binding *b, uint32_t workers, err *e);
const comm_bind_machine *comm_bind_machine_of(const comm_binding *b);
comm_bind_mode comm_bind_mode_of(const comm_binding *b);

/* Bind the calling thread as worker `w` of this place, after comm_bind_prepare; any thread.  What it
   had before is returned, for comm_bind_leave; NULL: nothing was done. */
void *comm_bind_enter(comm_binding *b, uint32_t w);
void comm_bind_leave(void *before);

/* What was asked for by name and cannot be, as a sentence; NULL: nothing, or it was told before. */
const char *comm_bind_refusal(comm_binding *b);

/* Was this program built with it? */
bool comm_bind_has_hwloc(void);

/* How often a thread has been bound. */
uint32_t comm_bind_count(const comm_binding *b);

/* Of the cpus that this process may use; equal on ranks that share them on one machine. */
uint64_t comm_bind_place(void);

#endif
