/*
 * comm.h - workers and messages, for those who use them.  comm_transport.h is for those who
 * carry them, comm_run.h for those who want the loop too.
 *
 * A run has workers, numbered from 0 over all ranks and threads.  Each has one end (`comm *`),
 * touched by its thread alone.  Messages are of kinds declared before the start; a kind has a
 * width, a handler and perhaps a detector's channel.  They travel in batches of one kind, so a
 * message needs no header.  From one worker to another, messages of one kind stay in order.
 *
 * Nothing here waits.  comm_send takes a message or says COMM_FULL; handlers run inside comm_poll
 * alone, one at a time, and never send: they record work in structures of their worker.
 *
 * Memory: an end has `buffer_bytes` bytes, taken at the start, and whatever happens no more.
 * A batch belongs to its sender until it has been consumed: so what is under way lies in the
 * sender's memory, all-to-one included, and at most `window` batches of one sender wait for
 * the same receiver.
 *
 * Why full buffers cannot lock each other: comm_poll consumes whatever has arrived, whether or
 * not this worker can send, and a consumed batch goes back by itself.  So every batch under way
 * comes back, and whoever met COMM_FULL finds room after polling.  A worker on the way between two
 * others (two hops) passes batches on from a share of its memory that it uses for nothing
 * else and that only waits for receivers; hence the first hop ends because the second does.
 * Letters (detectors', sums, abort) have room of their own: each protocol has a bounded number
 * of them unconsumed, but for reports, which go towards worker 0 and wait for that room.
 *
 * What is counted when: as sent when a message enters a batch, as received when its handler
 * has run.  A batch carries the epoch of its channel at the sender; one of the next epoch proves
 * that this one has ended, so it is announced at once and then handled.
 */
#ifndef BESPOKE_COMM_H
#define BESPOKE_COMM_H

#include "comm/comm_bind.h"
#include "dtd/dtd.h"

#include <stdbool.h>
#include <string.h>

enum {
    COMM_WORKERS_MAX = 1 << 16,
    COMM_KINDS_MAX = 255,
    COMM_WIDTH_MAX = 4096, /* bytes of a message */
    COMM_SUMS_MAX = 4,     /* numbers added up at once */
    COMM_RESERVE_DEFAULT = 256
};

#define COMM_NO_CHANNEL UINT32_MAX

/** `count` messages of one kind from one worker, in order, as many bytes apart as the kind is wide
    and aligned to 16 if that is a multiple of 16 (8, 4, 2 likewise).  They are the handler's until
    it returns.  It never sends.  0, or a code, which ends the run. */
typedef int comm_handler(void *self, worker_id from, const void *messages, size_t count,
                         err *e);

typedef struct comm_kind {
    const char *name;
    uint32_t width;   /* bytes of a message, 1 .. COMM_WIDTH_MAX */
    uint32_t channel; /* on whose account it is, or COMM_NO_CHANNEL */
    comm_handler *handle;
} comm_kind;

typedef struct comm_config {
    uint32_t workers, ranks; /* as many in each rank, in order; ranks 0: one */
    const comm_kind *kinds;  /* borrowed; the same on all workers */
    uint32_t kind_count, channels;
    bool whole; /* the last channel counts all messages; it ends once, with the run */
    const dtd_class *detector; /* NULL only without channels */
    /* A channel's epoch has ended; inside comm_poll, never sends.  NULL: not told. */
    int (*announced)(void *self, uint32_t channel, uint32_t epoch, err *e);
    size_t buffer_bytes; /* of one worker, for everything here */
    size_t batch_bytes;  /* 0: as the memory allows */
    uint32_t reserve;    /* most messages of a comm_reserve; 0: COMM_RESERVE_DEFAULT */
    bool two_hops;       /* over a grid: memory grows with the root of the workers */
    comm_binding *bind; /* which cores they run on; borrowed; NULL: as the system likes */
} comm_config;

typedef struct comm_slot {
    uint8_t *next, *end; /* room in a batch that is being filled */
} comm_slot;

/* The part of an end that is seen, for comm_place alone; the rest is comm_inner.h's. */
typedef struct comm {
    comm_slot *slot;
    size_t stride; /* slots per worker; 0 where messages are routed */
    uint64_t *sent;
    uint64_t work;
} comm;

typedef enum { COMM_SENT, COMM_FULL } comm_sent;
void *comm_place_slowly(comm *c, worker_id to, uint32_t kind, size_t width);

/** Where to write a message of `width` bytes, its kind's, for `to`, also oneself: it counts as sent,
    so write it before anything else is done here.  Never waits.  NULL: no room, nothing was
    done; keep your place and poll. */
static inline void *comm_place(comm *c, worker_id to, uint32_t kind, size_t width)
{
    comm_slot *s = &c->slot[to * c->stride + kind];
    uint8_t *at = s->next;
    if ((size_t)(s->end - at) < width) return comm_place_slowly(c, to, kind, width);
    s->next = at + width;
    c->sent[kind]++;
    return at;
}

/** The same, for a message that exists already and is copied. */
static inline comm_sent comm_send(comm *c, worker_id to, uint32_t kind,
                                  const void *message, size_t width)
{
    void *at = comm_place(c, to, kind, width);
    if (at == NULL) return COMM_FULL;
    memcpy(at, message, width);
    return COMM_SENT;
}

/** True: the next `messages` (at most comm_config.reserve) before a poll are sent, whatever their kind
    and wherever they go; what no batch has room for is kept aside.  False: poll first. */
bool comm_reserve(comm *c, uint32_t messages);

/** Handle what has arrived, take back what was consumed, let detectors and sums go on.  The number
    of batches and letters moved, or -1 with `e` set: damage, a handler's failure, an abort. */
int64_t comm_poll(comm *c, err *e);

/** Ship batches that are not full yet, as far as the receivers' windows allow. */
void comm_flush(comm *c);

/* All that was sent or passed on here has been consumed. */
bool comm_drained(const comm *c);

/** What this worker knows of a channel, told after each step; a message of the channel and an
    announcement make it active until it says otherwise.  See dtd.h for what is promised. */
void comm_tell(comm *c, uint32_t channel, bool passive, bool need);
uint32_t comm_epoch(const comm *c, uint32_t channel);
bool comm_frozen(const comm *c, uint32_t channel);

/** Begin to add up numbers over all workers, each of which begins the same sums in the same
    order, one at a time; then test, between polls, until it is true. */
void comm_sum_begin(comm *c, const uint64_t *values, uint32_t count);
bool comm_sum_test(comm *c, uint64_t *values);

/** End the run everywhere: comm_poll fails, here and soon on all workers. */
void comm_abort(comm *c);
bool comm_aborted(const comm *c);

/* Units of work done since the last call: what a simulated machine charges for. */
static inline void comm_work(comm *c, uint64_t units) { c->work += units; }

worker_id comm_self(const comm *c);
uint32_t comm_workers(const comm *c);

#endif
