/*
 * comm_transport.h - read this only if you carry messages, or open a net of workers.
 *
 * A parcel is a piece of memory with one owner at a time.  Its sender fills and posts it; the
 * transport carries it, by pointer or by copy; the receiver reads it and gives it back; the
 * transport brings it, or the news, back to the sender.  That news is the credit, so a transport
 * that copies must give the sender's parcel back only after the receiver's was given back.
 *
 * Promises of a transport: what is posted arrives, once; from one worker to another in the order
 * of posting on each lane; what is given back returns, in any order.  No call waits or fails.
 * Nothing arrives or returns only because something else was posted.
 */
#ifndef BESPOKE_COMM_TRANSPORT_H
#define BESPOKE_COMM_TRANSPORT_H

#include "comm/comm.h"

/* Letters, batches that are passed on, batches on their first or only hop. */
typedef enum {
    COMM_LANE_LETTERS,
    COMM_LANE_PASSED,
    COMM_LANE_FIRST,
    COMM_LANE_COUNT
} comm_lane_id;

enum {
    COMM_ENVELOPE_BYTES = 32, /* before the bytes of a parcel: the transport's */
    COMM_CREDITS_MAX = 32
};

typedef struct comm_parcel {
    struct comm_parcel *next; /* in the list of its present owner */
    worker_id from, to;
    uint32_t bytes; /* filled */
    uint32_t slot;  /* of the sender, while it is being filled */
    uint32_t epoch; /* of all messages in it */
    uint32_t taken; /* by the receiver: messages handled or passed on so far */
    uint8_t *at;    /* a multiple of 64, behind an envelope */
    uint64_t due, order;
    struct comm_parcel *below; /* these three: the transport's while it has it */
    comm_lane_id lane;
} comm_parcel;

typedef enum { COMM_TURN_WORKED, COMM_TURN_IDLE, COMM_TURN_OVER } comm_turn;
typedef comm_turn comm_turn_of(void *run, worker_id w);

/* What is received from other ranks needs memory here: a share of each worker's buffer_bytes. */
typedef struct comm_receive {
    size_t share;       /* of one worker; 0 with one rank */
    size_t batch_bytes; /* of the largest batch of all workers */
    uint32_t credits;   /* batches of a lane between two ranks; 0: too little memory */
    uint32_t letters;   /* likewise */
} comm_receive;

typedef enum { COMM_REDUCE_SUM, COMM_REDUCE_LEAST } comm_reduction;

typedef struct comm_transport {
    const char *name, *doc;
    /* `options`: its own, or NULL.  0, or a code; `e` may have failed before: then all do. */
    int (*open)(void **self, const comm_config *config, const comm_receive *r,
                const void *options, mem *m, err *e);
    void (*close)(void *self);
    void (*post)(void *self, comm_parcel *take);
    comm_parcel *(*arrived)(void *self, worker_id me, comm_lane_id lane); /* or NULL */
    void (*give_back)(void *self, comm_parcel *take);
    comm_parcel *(*returned)(void *self, worker_id me); /* a parcel of mine, or NULL */
    uint64_t (*clock)(void *self, worker_id me);        /* nanoseconds */
    /* A worker polls: the time to move what moves only when it is told to.  NULL: nothing does. */
    void (*progress)(void *self, worker_id me);
    /* So much work was done.  NULL: it took its time. */
    void (*spend)(void *self, worker_id me, uint64_t units);
    /* A worker wants a turn at this time even if nothing arrives.  NULL: it has turns anyway. */
    void (*wake)(void *self, worker_id me, uint64_t ns);
    /* Give every worker turns until it says OVER; in each it takes all that has arrived.
       0, or ERR_SYSTEM: nobody can move. */
    int (*drive)(void *self, comm_turn_of *turn, void *run, err *e);
    /* Of several ranks: which one this is; and the failure of one, if any, becomes that of
       all, who call this together.  NULL: there is one. */
    uint32_t (*rank)(const void *self);
    int (*agree)(void *self, err *e);
    /* Likewise: sums, or the least, of the numbers of all ranks, for all.  NULL: they are that. */
    void (*reduce)(void *self, comm_reduction how, uint64_t *x, uint32_t count);
} comm_transport;

/* A transport by its name, NULL if there is none; all of them. */
const comm_transport *comm_transport_find(const char *name);
const comm_transport *const *comm_transport_list(size_t *count);

/* ---- a net: the ends of all workers and what connects them ------------------------------- */

typedef struct comm_net comm_net;

/** Open the ends of the workers of this rank.  Takes buffer_bytes for each and what the transport
    needs from `m`.  All ranks call it together and succeed or fail alike; so with comm_run.  0, or
    ERR_LIMIT: no memory; ERR_USAGE: buffer_bytes is too small, the message says what is enough. */
int comm_net_open(comm_net **out, const comm_config *config, const comm_transport *t,
                  const void *options, mem *m, err *e);
void comm_net_close(comm_net *n);

comm *comm_net_end(comm_net *n, worker_id w);
uint32_t comm_net_workers(const comm_net *n);
worker_id comm_net_first(const comm_net *n); /* of the workers of this rank */
uint32_t comm_net_here(const comm_net *n);   /* how many they are */
uint32_t comm_net_hops(const comm_net *n);
const comm_transport *comm_net_class(const comm_net *n);
void *comm_net_transport(const comm_net *n); /* the `self` of the transport */
mem *comm_net_mem(const comm_net *n);

/* What has arrived for this worker and was not handled goes back as it is: it has left. */
void comm_leave(comm *c);

/* Whom handlers are called with; before anything is sent. */
void comm_bind(comm *c, void *self);

typedef struct comm_count {
    uint64_t batches, bytes; /* posted, with headers */
    uint64_t room;           /* in those batches, for messages */
    uint64_t full;           /* sends refused */
    uint64_t aside;          /* messages kept aside, after a promise */
    uint64_t passed;         /* messages passed on for others */
    uint64_t letters;
    uint64_t *sent, *received; /* by kind; borrowed */
} comm_count;

comm_count comm_count_of(const comm *c);

/* What is laid out in an end's memory. */
typedef struct comm_plan {
    size_t batch_bytes;               /* header included */
    uint32_t batches, passed_batches; /* to send; to pass on */
    uint32_t window;                  /* batches under way to one neighbour */
    uint32_t neighbours, columns;     /* columns: of the grid, 0 = direct */
    uint32_t letters, letters_event;  /* in all; most that one event sends */
    size_t bytes;                     /* that all this takes, at most buffer_bytes */
    size_t least;                     /* buffer_bytes below which nothing works */
    size_t
        ample; /* and at which every neighbour and kind has a batch open and one under way */
} comm_plan;

/** The layout for worker `self`; batches is 0 where buffer_bytes is below `least`. */
void comm_plan_make(comm_plan *p, const comm_config *config, worker_id self);

/* How much of it is for what comes from other ranks. */
void comm_plan_receive(comm_receive *r, const comm_config *config);

/* The buffer_bytes that are enough, or ample, for all workers. */
size_t comm_plan_least(const comm_config *config);
size_t comm_plan_ample(const comm_config *config);

#endif
