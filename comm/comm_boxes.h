/*
 * comm_boxes.h - workers that share memory: parcels move by pointer, threads take turns.
 *
 * A mailbox per worker and lane, and one for what comes back: a stack that anybody pushes on and
 * its worker takes whole, with one exchange, and turns over.
 */
#ifndef BESPOKE_COMM_BOXES_H
#define BESPOKE_COMM_BOXES_H

#include "comm/comm_transport.h"

#include <stdalign.h>
#include <stdatomic.h>

typedef struct comm_box {
    alignas(64) _Atomic(comm_parcel *) pushed; /* by anybody, the last on top */
    alignas(64) comm_parcel *first;            /* taken by its worker, in order */
} comm_box;

enum { COMM_BOX_BACK = COMM_LANE_COUNT, COMM_BOX_COUNT };

typedef struct comm_boxes {
    comm_box *box;                     /* count * COMM_BOX_COUNT */
    bool *over;                        /* which workers are */
    alignas(64) _Atomic uint32_t left; /* how many are not */
    void *block;                       /* in which they lie, on a line */
    size_t bytes;
    worker_id first; /* workers first .. first + count - 1 are here */
    uint32_t count;
    uint32_t crowd,
        seat; /* workers of this place (comm_bind.h); how many stand before ours */
    comm_binding *bind;
    mem *m;
} comm_boxes;

/* As if there was no other rank: crowd is count, seat 0, and nobody is bound. */
int comm_boxes_open(comm_boxes *b, worker_id first, uint32_t count, mem *m, err *e);
void comm_boxes_close(comm_boxes *b);

/** Give every worker here turns until all say OVER, each thread to its own, on its own cores; who is
    over goes on giving back what comes, as senders wait for it.  Blocks.  With more workers on this place than cores, who waits gives way at once. */
void comm_boxes_drive(comm_boxes *b, comm_turn_of *turn, void *run);

/* Nanoseconds, of no particular origin. */
uint64_t comm_boxes_clock(void *self, worker_id me);

static inline bool comm_boxes_here(const comm_boxes *b, worker_id w)
{
    return w - b->first < b->count;
}

static inline comm_box *comm_boxes_of(const comm_boxes *b, worker_id w, uint32_t which)
{
    return &b->box[(size_t)(w - b->first) * COMM_BOX_COUNT + which];
}

static inline void comm_box_push(comm_box *b, comm_parcel *p)
{
    comm_parcel *top = atomic_load_explicit(&b->pushed, memory_order_relaxed);
    do p->next = top;
    while (!atomic_compare_exchange_weak_explicit(
        &b->pushed, &top, p, memory_order_release, memory_order_relaxed));
}

/* The first pushed, or NULL; by one thread at a time. */
comm_parcel *comm_box_take(comm_box *b);

#endif
