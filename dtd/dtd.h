/*
 * dtd.h - termination detection as pure state machines: events in, letters out.
 *
 * A detector belongs to one worker and serves several channels: one per equation block, one
 * for the whole run.  A channel has ended when no worker has work of it and none of its counted
 * messages is under way.  Then it is announced, its epoch goes up by one on every worker, and it may fill
 * with work again.  A family of detectors is one constant (dtd_find); an instance is one
 * block of memory without pointers, so it can be copied, compared, and be the state of a model.
 * No function waits, allocates, looks at a clock or throws dice.
 *
 * What the host promises:
 * - A message of a channel counts as sent from the moment it enters a batch, carries the epoch of
 *   its sender, and counts as received when it is handled.  A message of the next epoch either
 *   waits until the announcement has come, or is told by `ahead` and handled at once.
 * - `state` is told when a worker has become passive for a channel, when its figures or its
 *   need have changed since, and after each announcement; more often is harmless and cheap.
 * - A passive worker has no work of the channel and expects no answer for it.  It wakes by a
 *   counted message, or by a request from elsewhere, which must wait while dtd_frozen.
 * - Letters from one worker to another arrive, in the order in which they were sent; letters to
 *   oneself too.  Data may overtake letters and each other.
 */
#ifndef BESPOKE_DTD_H
#define BESPOKE_DTD_H

#include "core/err.h"
#include "core/ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DTD_WORKERS_MAX = 1 << 20,
    DTD_CHANNELS_MAX = 1 << 20,
    DTD_WIRE_BYTES = 28 /* of one message */
};

typedef struct dtd dtd; /* one instance */

/* What a worker knows of a channel at this moment. */
typedef struct dtd_figures {
    uint64_t sent,
        received; /* counted messages so far, over all epochs; they never fall */
    bool passive; /* no work, and no answer is expected */
    bool need;    /* someone waits here for the end of the channel's epoch */
} dtd_figures;

#define DTD_KINDS(X)                                                             \
    X(REPORT, "report", "sums over those who are passive; or that they changed") \
    X(TOKEN, "token", "the first round of a ring")                               \
    X(CONFIRM, "confirm", "freeze, if you are passive, and vote")                \
    X(VOTE, "vote", "yes with sums, or no")                                      \
    X(ANNOUNCE, "announce", "the epoch has ended")                               \
    X(ABORT, "abort", "it has not; thaw")
#define DTD_ENUM(id, name, doc) DTD_##id,
typedef enum { DTD_KINDS(DTD_ENUM) DTD_KIND_COUNT } dtd_kind;
#undef DTD_ENUM
const char *dtd_kind_name(dtd_kind kind);

enum { DTD_YES = 1, DTD_NEED = 2, DTD_BLACK = 4, DTD_FLAGS = 7 }; /* of a message */

typedef struct dtd_message {
    uint64_t sent, received; /* sums */
    uint32_t channel, epoch;
    uint32_t kind, flags;
} dtd_message;

typedef struct dtd_letter {
    worker_id to;
    dtd_message message;
} dtd_letter;

/* What an event brings about. */
typedef struct dtd_out {
    dtd_letter *at;     /* the caller's; letters are appended */
    size_t count, room; /* room for dtd_letters_max more before each event */
    bool announced;     /* by the last event: the channel's epoch has ended here */
} dtd_out;

typedef struct dtd_class {
    const char *name, *doc;
    /* Bytes of an instance, and how it begins; through dtd_bytes and dtd_begin. */
    size_t (*channel_bytes)(uint32_t workers, worker_id self);
    /* These figures are true now. */
    void (*state)(dtd *d, uint32_t channel, const dtd_figures *now, dtd_out *out);
    /* A message has come that dtd_unpack accepted; `now` are the figures of its channel.  What
       does not fit the state, as a report of an epoch that is over, is dropped. */
    void (*message)(dtd *d, worker_id from, const dtd_message *m, const dtd_figures *now,
                    dtd_out *out);
    /* Data of epoch dtd_epoch + 1 has come: it proves that this one was announced. */
    void (*ahead)(dtd *d, uint32_t channel, dtd_out *out);
} dtd_class;

/* A detector by its name, NULL if there is none; all of them. */
const dtd_class *dtd_find(const char *name);
const dtd_class *const *dtd_list(size_t *count);

/* Bytes of the instance of worker `self`; a multiple of 8. */
size_t dtd_bytes(const dtd_class *c, uint32_t workers, worker_id self, uint32_t channels);

/** Make an instance of a block of dtd_bytes bytes, aligned for uint64_t; it stays the caller's.
    All channels are in epoch 0, all workers are taken for passive and without need. */
dtd *dtd_begin(const dtd_class *c, void *block, uint32_t workers, worker_id self,
               uint32_t channels);

/* The epoch of a channel: the number of announcements so far, here. */
uint32_t dtd_epoch(const dtd *d, uint32_t channel);

/* Voted, and not yet decided: requests that would wake this worker must wait. */
bool dtd_frozen(const dtd *d, uint32_t channel);

/* The most letters that one event sends. */
size_t dtd_letters_max(uint32_t workers);

/** The wire form of a message, DTD_WIRE_BYTES, the same on all machines.  Letters that go to one
    worker at one time, of whatever channels, are best sent in one piece, one after the other. */
void dtd_pack(const dtd_message *m, uint8_t *wire);

/** A message from `bytes` bytes, of which there must be DTD_WIRE_BYTES, for an instance of
    `channels`.  0, or ERR_SYSTEM: no detector sends that. */
int dtd_unpack(dtd_message *m, const uint8_t *wire, size_t bytes, uint32_t channels,
               err *e);

#endif
