/*
 * distribution.h - where a state that has a number is: its place, and who owns it.
 *
 * The states 0 .. N-1 have places 0 .. N-1; rank r has the places from r * range on, as its local
 * numbers 0 .. range-1, of which the last ranks may lack some.  The threads of a rank take turns
 * with units of neighbouring numbers.  All of it is arithmetic, both ways; there are no tables.
 *
 * block     a state's place is its number: few edges cross, but in a state space that was
 *           numbered breadth-first the whole frontier lies on one rank at a time.
 * hash      a permutation that scatters: perfect balance, a share of (R-1)/R of the edges crosses.
 * locality  the same for chunks of 2^shift states, whose neighbours stay together: edges to them
 *           do not cross, and every level of a search is spread over all ranks.
 *
 * One rank keeps the numbers of the file, whatever the kind: its threads share all columns, and a
 * permutation would only cost.  Then hash deals out each number by itself, locality chunks, block
 * one range for each thread.
 */
#ifndef BESPOKE_DISTRIBUTION_H
#define BESPOKE_DISTRIBUTION_H

#include "core/graph_part.h"
#include "core/lts.h"

#define DISTRIBUTION_KINDS(X)                                          \
    X(HASH, "hash", "each state by itself, scattered")                 \
    X(BLOCK, "block", "equal ranges of state numbers, one per worker") \
    X(LOCALITY, "locality", "short ranges of state numbers, scattered")

#define DISTRIBUTION_ENUM(id, name, doc) DISTRIBUTION_##id,
typedef enum {
    DISTRIBUTION_KINDS(DISTRIBUTION_ENUM) DISTRIBUTION_KIND_COUNT
} distribution_kind;
#undef DISTRIBUTION_ENUM

typedef struct distribution {
    distribution_kind kind;
    uint32_t ranks, threads; /* of each rank; both > 0 */
    state_id states;
    state_id range; /* local numbers of a rank, > 0 */
    state_id unit;  /* so many neighbouring local numbers have one thread */
    unsigned shift; /* log2 of the states that stay together */
    state_id items; /* that are permuted: whole chunks; 0: none are */
    unsigned low;   /* bits of the lower half of an item's number, */
    uint32_t low_mask, high_mask;
    uint64_t range_inverse, unit_inverse, threads_inverse; /* see graph_part.h */
} distribution;

/** By name ("hash", ...).  0, or ERR_USAGE with the list. */
int distribution_find(distribution_kind *out, const char *name, err *e);

const char *distribution_name(distribution_kind kind);
const char *distribution_doc(distribution_kind kind);

distribution distribution_of(distribution_kind kind, uint32_t ranks, uint32_t threads,
                             state_id states);

/* The permutation of items, for the functions below. */
state_id distribution_scatter(const distribution *d, state_id item);
state_id distribution_gather(const distribution *d, state_id item);

/* Where a state is. */
static inline state_id distribution_place(const distribution *d, state_id s)
{
    state_id chunk = s >> d->shift;
    if (chunk >= d->items) return s;
    return distribution_scatter(d, chunk) << d->shift | (s & ((1u << d->shift) - 1));
}

/* Which state is there; STATE_NONE: none, the ranks have more room than there are states. */
static inline state_id distribution_state(const distribution *d, state_id place)
{
    if (place >= d->states) return STATE_NONE;
    state_id chunk = place >> d->shift;
    if (chunk >= d->items) return place;
    return distribution_gather(d, chunk) << d->shift | (place & ((1u << d->shift) - 1));
}

static inline uint32_t distribution_rank(const distribution *d, state_id place)
{
    return graph_part_divide(place, d->range_inverse);
}

/* The thread, of its rank, that owns a local number. */
static inline uint32_t distribution_thread(const distribution *d, state_id local)
{
    uint32_t unit = graph_part_divide(local, d->unit_inverse);
    return unit - graph_part_divide(unit, d->threads_inverse) * d->threads;
}

/* The worker that owns a place, numbered over all ranks and threads. */
static inline worker_id distribution_owner(const distribution *d, state_id place)
{
    uint32_t rank = distribution_rank(d, place);
    if (d->threads == 1) return rank;
    return rank * d->threads + distribution_thread(d, place - rank * d->range);
}

/** Transitions of a whole LTS whose two ends belong to different workers. */
uint64_t distribution_cross_edges(const distribution *d, const lts *g);

#endif
