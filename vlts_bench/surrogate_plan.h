/*
 * surrogate_plan.h - the inside of a plan, for the files that make and follow it.
 *
 * A plan is a row of numbers per breadth-first level.  Numbers of all levels add up to the
 * facts, and each level can be generated from its own row alone.
 */
#ifndef BESPOKE_SURROGATE_PLAN_H
#define BESPOKE_SURROGATE_PLAN_H

#include "vlts_bench/surrogate.h"

typedef struct surrogate_level {
    uint64_t edges;  /* transitions that leave the level */
    uint64_t tau;    /* hidden ones among them */
    state_id states; /* > 0 */
    state_id dead;   /* states without transitions among them */
    uint32_t top;    /* most transitions of a state; 0 when all are dead */
} surrogate_level;

struct surrogate_plan {
    mem *m; /* borrowed */
    surrogate_summary sum;
    surrogate_level *level; /* owned; room_levels, of which sum.levels are used */
    size_t room_levels;
    uint32_t visible;   /* labels that are not hidden */
    uint32_t wanted;    /* of them in the row */
    uint32_t least;     /* fewest transitions of a state that has any */
    uint32_t peak;      /* the level with a state of branching_max transitions */
    uint32_t base;      /* the level with a state of `least`, or SURROGATE_NONE */
    state_id free_from; /* first state of level livelock_depth; STATE_NONE: no livelock */
};

/* How a try to lay out a number of levels ended. */
typedef enum {
    SURROGATE_FITS,
    SURROGATE_TOO_FEW,  /* levels: they would be too wide */
    SURROGATE_TOO_MANY, /* levels: they would be too narrow */
    SURROGATE_BAD_DEPTH /* no deadlock can lie at the wanted depth */
} surrogate_fit;

static inline state_id surrogate_live(const surrogate_level *l)
{
    return l->states - l->dead;
}

/* States of the level after `l`, 0 for the last. */
static inline state_id surrogate_ahead(const surrogate_plan *p, uint32_t l)
{
    return l + 1 < p->sum.levels ? p->level[l + 1].states : 0;
}

/* May hidden transitions of a level go back (but not above the first livelock)? */
static inline bool surrogate_is_free(const surrogate_plan *p, uint32_t l)
{
    return p->sum.facts.livelock && l >= p->sum.livelock_depth;
}

/* How many targets too few the last state of a level may have for hidden transitions that
   lead to higher numbers; and any state of a free level.  See surrogate_levels.c. */
static inline uint64_t surrogate_short_forward(const surrogate_plan *p, uint32_t l)
{
    uint64_t top = p->level[l].top, ahead = surrogate_ahead(p, l);
    return top > ahead ? top - ahead : 0;
}

static inline uint64_t surrogate_short_free(const surrogate_plan *p, uint32_t l)
{
    uint32_t first = p->sum.livelock_depth;
    uint64_t top = p->level[l].top, targets = (uint64_t)p->level[first].states - 1;
    if (l > first) targets += p->level[l].states;
    return top > targets ? top - targets : 0;
}

/* Transitions of the last `states` of a level that cannot be hidden, at most, when the very
   last one is `short_by` targets short, the one before it one less, and so on. */
static inline uint64_t surrogate_loss(uint64_t short_by, uint64_t states)
{
    uint64_t n = states < short_by ? states : short_by;
    return n * short_by - n * (n - (n > 0)) / 2;
}

/* surrogate_facts.c: the row's numbers at a scale, made consistent; smaller wishes. */
int surrogate_facts_scale(surrogate_plan *p, const manifest_row *row, err *e);
bool surrogate_facts_relax(surrogate_plan *p);
uint64_t surrogate_facts_levels(const surrogate_plan *p);

/* surrogate_levels.c: lay out a number of levels.  0 or ERR_LIMIT; `fit` tells the rest. */
int surrogate_levels_lay_out(surrogate_plan *p, uint64_t levels, uint64_t depth,
                             surrogate_fit *fit, err *e);

/* surrogate_share.c: divide a total over the levels, see there. */
typedef struct surrogate_share {
    uint64_t weight, low, high;
} surrogate_share;

typedef surrogate_share surrogate_share_of(const surrogate_plan *p, uint32_t level);
typedef void surrogate_share_put(surrogate_plan *p, uint32_t level, uint64_t amount);

int surrogate_share_out(surrogate_plan *p, uint64_t total, surrogate_share_of *of,
                        surrogate_share_put *put);

#endif
