/*
 * counters.h - what a thread costs the machine: page faults, switches, cycles, misses.
 *
 * Through PAPI where it is compiled in and the machine has the event, some else from the system's own
 * account of the thread; what neither knows is not known, and is never 0 instead.  Software events
 * come first because virtual machines often have no others.
 */
#ifndef BESPOKE_COUNTERS_H
#define BESPOKE_COUNTERS_H

#include "core/err.h"

#include <stdbool.h>
#include <stdint.h>

/* id, PAPI's name of it, what is said in a table */
#define COUNTERS_LIST(X)                                        \
    X(PAGE_FAULTS, "perf::PAGE-FAULTS", "page faults")          \
    X(SWITCHES, "perf::CONTEXT-SWITCHES", "context switches")   \
    X(MIGRATIONS, "perf::CPU-MIGRATIONS", "moves between cpus") \
    X(CYCLES, "PAPI_TOT_CYC", "cycles")                         \
    X(INSTRUCTIONS, "PAPI_TOT_INS", "instructions")             \
    X(L1_MISSES, "PAPI_L1_DCM", "misses of L1")                 \
    X(L2_MISSES, "PAPI_L2_TCM", "misses of L2")                 \
    X(L3_MISSES, "PAPI_L3_TCM", "misses of L3")
#define COUNTERS_ENUM(id, name, doc) COUNTERS_##id,
typedef enum { COUNTERS_LIST(COUNTERS_ENUM) COUNTERS_COUNT } counters_id;
#undef COUNTERS_ENUM
const char *counters_name(counters_id id); /* PAPI's */
const char *counters_doc(counters_id id);

typedef struct counters_values {
    bool known[COUNTERS_COUNT];
    uint64_t value[COUNTERS_COUNT];
} counters_values;

/* Of one thread; opened, stopped and closed by it. */
typedef struct counters {
    counters_values at_start; /* of the system's account */
    int set;                  /* PAPI's */
    uint32_t events;          /* in it: those of `event`, in order */
    counters_id event[COUNTERS_COUNT];
} counters;

/** Make the library ready, before threads count; again is harmless.  Takes milliseconds the first
    time.  False: it is not there, and the system's account is all there is. */
bool counters_prepare(void);

/* Begin to count for the calling thread.  Of several at a time in one thread only the first has
   what PAPI counts. */
void counters_start(counters *c);

/* What was counted since; ends it. */
counters_values counters_stop(counters *c);

/* Add up: known is what one of the two knows. */
void counters_add(counters_values *into, const counters_values *more);

#endif
