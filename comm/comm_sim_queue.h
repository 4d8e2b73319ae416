/*
 * comm_sim_queue.h - parcels by due time: a pairing heap in the parcels themselves.
 *
 * The root is the first due, among equals the first posted.  `below` is a parcel's first child, `next`
 * its sibling.  Put is constant, take logarithmic on average over a run of both; no recursion.
 * Source: M. Fredman, R. Sedgewick, D. Sleator, R. Tarjan, Algorithmica 1 (1986), 111-129.
 */
#ifndef BESPOKE_COMM_SIM_QUEUE_H
#define BESPOKE_COMM_SIM_QUEUE_H

#include "comm/comm_transport.h"

static inline bool comm_sim_queue_before(const comm_parcel *a, const comm_parcel *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static inline comm_parcel *comm_sim_queue_join(comm_parcel *a, comm_parcel *b)
{
    if (a == NULL) return b;
    if (b == NULL) return a;
    comm_parcel *first = comm_sim_queue_before(b, a) ? b : a,
                *second = first == a ? b : a;
    second->next = first->below;
    first->below = second;
    return first;
}

static inline void comm_sim_queue_put(comm_parcel **root, comm_parcel *p)
{
    p->next = p->below = NULL;
    *root = comm_sim_queue_join(*root, p);
}

/* The first; there is one. */
static inline comm_parcel *comm_sim_queue_take(comm_parcel **root)
{
    comm_parcel *top = *root, *child = top->below, *pairs = NULL, *all = NULL;
    while (child) { /* pairs of siblings, the last pair first */
        comm_parcel *a = child, *b = a->next;
        child = b ? b->next : NULL;
        a->next = NULL;
        if (b) b->next = NULL;
        comm_parcel *pair = comm_sim_queue_join(a, b);
        pair->next = pairs;
        pairs = pair;
    }
    while (pairs) {
        comm_parcel *rest = pairs->next;
        pairs->next = NULL;
        all = comm_sim_queue_join(all, pairs);
        pairs = rest;
    }
    *root = all;
    return top;
}

#endif
