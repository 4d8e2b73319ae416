/*
 * distribution.h - which worker owns a state that has a number.
 *
 * hash      scatters: perfect balance, a share of (W-1)/W of the edges crosses workers.
 * block     W equal ranges of numbers: few crossing edges, but in a state space that was
 *           numbered breadth-first the whole frontier lies on one worker at a time.
 * locality  ranges of 2^k states, dealt out by hash: neighbours mostly stay together and
 *           every level of the search is spread over all workers.
 */
#ifndef BESPOKE_DISTRIBUTION_H
#define BESPOKE_DISTRIBUTION_H

#include "core/hash.h"
#include "core/ids.h"
#include "core/lts.h"

#define DISTRIBUTION_KINDS(X)                                          \
    X(HASH, "hash", "each state by the hash of its number")            \
    X(BLOCK, "block", "equal ranges of state numbers, one per worker") \
    X(LOCALITY, "locality", "short ranges of state numbers, hashed")

#define DISTRIBUTION_ENUM(id, name, doc) DISTRIBUTION_##id,
typedef enum {
    DISTRIBUTION_KINDS(DISTRIBUTION_ENUM) DISTRIBUTION_KIND_COUNT
} distribution_kind;
#undef DISTRIBUTION_ENUM

typedef struct distribution {
    distribution_kind kind;
    worker_id workers; /* > 0 */
    state_id range;    /* block: states per worker */
    unsigned shift;    /* locality: log2 of states per range */
} distribution;

/** By name ("hash", ...), for a number of workers and states.  0, or ERR_USAGE with the list. */
int distribution_open(distribution *out, const char *name, worker_id workers,
                      state_id states, err *e);

const char *distribution_name(distribution_kind kind);
const char *distribution_doc(distribution_kind kind);

/* Spread a hash over the workers without a division. */
static inline worker_id distribution_spread(uint64_t hash, worker_id workers)
{
    return (worker_id)(((hash >> 32) * workers) >> 32);
}

static inline worker_id distribution_owner(const distribution *d, state_id s)
{
    if (d->kind == DISTRIBUTION_BLOCK) return s / d->range;
    if (d->kind == DISTRIBUTION_LOCALITY) s >>= d->shift;
    return distribution_spread(hash_word((uint64_t)s + 1), d->workers);
}

/** Transitions whose two ends belong to different workers. */
uint64_t distribution_cross_edges(const distribution *d, const lts *g);

#endif
