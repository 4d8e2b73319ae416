/*
 * network_rows.h - a component's transitions, sorted, so that what a state can do and
 * where a label leads from it are found at once.
 *
 * A local label is a number below `labels`; each occurs.  Groups row[s] .. row[s+1]-1 are
 * those of state s, ascending by label; the targets of group k are
 * target[group[k].first .. group[k+1].first-1], ascending, each once.
 */
#ifndef BESPOKE_NETWORK_ROWS_H
#define BESPOKE_NETWORK_ROWS_H

#include "core/lts.h"

typedef struct network_group {
    uint32_t label, first;
} network_group;

/* Where a label leads from a state: `count` targets from `first` on; 0: nothing is here.
   */
typedef struct network_slot {
    state_id state;
    uint32_t label, first, count;
} network_slot;

/* What is looked at while exploring. */
typedef struct network_view {
    const uint32_t *row;        /* states + 1 */
    const network_group *group; /* groups + 1 */
    const state_id *target;
    const network_slot *slot; /* after network_rows_index */
    uint64_t last; /* slot: of all pairs (state, label) in order, or of a power of two; */
    uint64_t factor;        /*   a pair's is its number * factor >> shift, */
    uint32_t labels, shift; /*   or one of those behind it */
} network_view;

typedef struct network_rows {
    mem *m; /* borrowed */
    state_id states, initial;
    uint32_t labels, label_room;
    uint32_t groups, targets;
    label_id *text;    /* of a local label: its number among all of the network */
    state_id *enabled; /* in how many states a local label is */
    uint64_t *trace;   /* bit b: it is in a state that is b modulo 64 */
    uint32_t *row;     /* all owned; see network_view */
    network_group *group;
    state_id *target;
    network_slot *slot;
    network_view view;
} network_rows;

/**
 * Sort the transitions of `g`, of whose label l the number in the network is text[l] <
 * `texts`; labels with the same number are one.  0 or ERR_LIMIT.
 */
int network_rows_open(network_rows *out, const lts *g, const label_id *text, size_t texts,
                      err *e);
void network_rows_close(network_rows *r);

/** Prepare for network_view_find; once more is nothing.  0 or ERR_LIMIT. */
int network_rows_index(network_rows *r, err *e);

/* Where `label` leads from `s`, or NULL. */
static inline const network_slot *network_view_find(const network_view *v, state_id s,
                                                    uint32_t label)
{
    uint64_t i = (((uint64_t)s * v->labels + label) * v->factor) >> v->shift;
    for (;; i = (i + 1) & v->last) {
        const network_slot *p = &v->slot[i];
        if (p->count == 0) return NULL;
        if (p->state == s && p->label == label) return p;
    }
}

#endif
