/*
 * comm_inner.h - an end from inside; for comm_*.c alone.
 */
#ifndef BESPOKE_COMM_INNER_H
#define BESPOKE_COMM_INNER_H

#include "comm/comm_figures.h"
#include "comm/comm_transport.h"
#include "comm/comm_wire.h"

#include <assert.h>

enum { COMM_NO_SLOT = UINT32_MAX };

/* Batches of one lane, or letters: free, being filled, or away. */
typedef struct comm_lane {
    comm_parcel *idle;    /* free ones, the last used first */
    uint32_t open, away;  /* being filled; posted and not returned */
    comm_slot *slot;      /* neighbours * kinds: what is being filled */
    comm_parcel **behind; /* the batch of a slot, or NULL */
    uint32_t *under_way;  /* by neighbour, at most plan.window */
    comm_parcel **all;    /* all batches of the lane */
    uint32_t count;
} comm_lane;

typedef struct comm_list { /* first in, first out */
    comm_parcel *first, *last;
} comm_list;

/* Messages that were promised a place and found none in a batch; in order, `entry` bytes each:
   kind (4), to (4), message. */
typedef struct comm_aside {
    uint8_t *at;
    uint32_t count, limit, room;
    size_t entry;
} comm_aside;

typedef struct comm_channel {
    dtd_figures now, told, seen; /* seen: when there was something to tell last */
    uint64_t since;              /* which they are so; nanoseconds */
    uint64_t before;             /* messages before this epoch */
    uint32_t tells;              /* in this epoch */
    bool unsure;                 /* nothing was told in this epoch */
} comm_channel;

/* A sum over the tree: parts come up, the result goes down. */
typedef struct comm_adding {
    uint64_t part[COMM_SUMS_MAX], result[COMM_SUMS_MAX];
    uint32_t missing;         /* children that have not sent their part */
    bool begun, up;           /* here; the part was sent or is complete at the root */
    bool arrived, to_hand_on; /* the result */
} comm_adding;

typedef struct comm_end {
    comm face; /* first */
    worker_id self;
    bool aborted, abort_told;
    void *user;
    const comm_config *config; /* the net's */
    const comm_transport *t;
    void *transport;
    comm_plan plan;
    comm_lane lane[COMM_LANE_COUNT];
    comm_list held[COMM_LANE_COUNT]; /* arrived, and waiting for room to go on */
    comm_aside aside;
    comm_channel *channel;
    dtd *detector;
    dtd_letter *written; /* of one event */
    comm_adding sum;
    comm_showing shown;
    comm_count count;
} comm_end;

static inline comm_end *comm_inside(comm *c) { return (comm_end *)c; }
static inline const comm_end *comm_inside_const(const comm *c)
{
    return (const comm_end *)c;
}

static inline void comm_list_put(comm_list *l, comm_parcel *p)
{
    p->next = NULL;
    if (l->first) l->last->next = p;
    else l->first = p;
    l->last = p;
}

static inline comm_parcel *comm_list_take(comm_list *l)
{
    comm_parcel *p = l->first;
    if (p) l->first = p->next;
    return p;
}

/* ---- comm_plan.c -------------------------------------------------------------------------- */

/* The next worker on the way, and a neighbour's number among the neighbours. */
worker_id comm_plan_hop(const comm_plan *p, uint32_t workers, worker_id self,
                        worker_id to);
uint32_t comm_plan_neighbour(const comm_plan *p, worker_id self, worker_id w);

size_t comm_plan_parcel_bytes(size_t payload);
size_t comm_plan_batch_least(const comm_config *c);

/* A worker's share of room for one batch of each lane and one letter from every other rank. */
size_t comm_plan_receive_share(const comm_config *c, size_t batch_bytes);

/* Set up an end in a block of config->buffer_bytes zero bytes. */
comm_end *comm_plan_lay_out(const comm_plan *p, const comm_config *config, worker_id self,
                            uint8_t *block);

/* ---- comm_lane.c -------------------------------------------------------------------------- */

/* A message on its way: the next worker, and what goes before it where messages are routed. */
typedef struct comm_passage {
    worker_id hop;
    uint32_t tag, kind, epoch;
} comm_passage;

/* Where the message goes in a batch.  NULL: no room. */
uint8_t *comm_lane_place(comm_end *c, comm_lane_id lane, const comm_passage *p);
void comm_lane_close_slots(comm_end *c); /* at the start */
void comm_lane_flush(comm_end *c, comm_lane_id lane);
void comm_lane_back(comm_end *c, comm_parcel *p);
void comm_lane_retry_aside(
    comm_end *c); /* what was kept aside, as far as there is room */

/* ---- comm_poll.c -------------------------------------------------------------------------- */

void comm_poll_arrived(comm_end *c,
                       comm_lane_id lane); /* what has arrived joins what is held */

/* ---- comm_letters.c ----------------------------------------------------------------------- */

void comm_letters_begin(comm_end *c);

/* Handle letters, and whatever they made possible.  How many, or -1. */
int64_t comm_letters_poll(comm_end *c, err *e);

/* A batch of the next epoch has come: this one has ended.  1, 0 without room, or -1. */
int comm_letters_ahead(comm_end *c, uint32_t channel, err *e);
void comm_letters_flood_abort(comm_end *c);
uint32_t comm_letters_children(const comm_end *c);

/* Figures for the parent.  False: no room now. */
bool comm_letters_show(comm_end *c, const uint64_t *x);

#endif
