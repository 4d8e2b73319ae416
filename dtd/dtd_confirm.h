/*
 * dtd_confirm.h - what all detectors share: the block, and the second phase.  Read this only if
 * you write a detector.
 *
 * Idea       Every detector asks twice.  The first phase gathers figures, each family in its
 *            way, and costs little.  When they say that all were passive when asked and that as much
 *            was received as sent, in all R1 messages, worker 0 launches the second phase at
 *            some moment t.  Each worker votes: yes with its figures, if it is passive, and
 *            from then on it is frozen; otherwise no, at once.  If all say yes and their sent
 *            messages add up to R1, the epoch is announced; otherwise all thaw.
 * Invariant  Figures never fall, those of the first phase are older than t and votes younger:
 *                R1 <= received(t) <= sent(t) <= sum of sent in the votes = R1.
 *            So at t nothing was under way and nothing was sent after it until the votes;
 *            hence nothing is received after t.  A voter was passive, and frozen it does not wake:
 *            until the announcement every worker is inert.  It does not matter that the figures
 *            of the first phase are of different moments, nor that some of a voter are taken
 *            later than its vote.
 * Epochs     A letter or message of epoch e+1 proves that e was announced, so its receiver
 *            has voted and is inert: it may go on to e+1 before the announcement reaches it,
 *            which is then ignored.  Nobody ends e+1 before all have voted in it: epochs
 *            of two workers differ by one at most.
 * Progress   A phase fails only because someone was active after it was asked; whoever was,
 *            tells when it is passive again.  In particular a no owes a report.
 * Source     F. Mattern, Distributed Computing 2 (1987), 161-175: four counters.  Freezing and
 *            epochs are for channels that are woken from outside and end many times.
 */
#ifndef BESPOKE_DTD_CONFIRM_H
#define BESPOKE_DTD_CONFIRM_H

#include "dtd/dtd.h"

#include <assert.h>

/* A block is this, then a record per channel, which begins with a dtd_phase. */
struct dtd {
    worker_id self;
    uint32_t workers, channels;
    uint32_t record; /* bytes of a channel's record */
};

typedef struct dtd_phase {
    uint32_t epoch;
    uint32_t frozen;
} dtd_phase;

static inline void *dtd_record(const dtd *d, uint32_t channel)
{
    assert(channel < d->channels);
    return (char *)(d + 1) + (size_t)channel * d->record;
}

static inline void dtd_send(dtd_out *out, worker_id to, const dtd_message *m)
{
    assert(out->count < out->room);
    out->at[out->count++] = (dtd_letter){ .to = to, .message = *m };
}

/* A worker's vote: the answer, and whether it is frozen now. */
static inline bool dtd_vote(dtd_phase *p, const dtd_figures *now)
{
    p->frozen = now->passive;
    return now->passive;
}

static inline void dtd_thaw(dtd_phase *p) { p->frozen = 0; }

/* The decision: all said yes, and sent in all what was received before the launch. */
static inline bool dtd_confirmed(bool all_yes, uint64_t sent, uint64_t first_received)
{
    return all_yes && sent == first_received;
}

/* The epoch has ended here. */
static inline void dtd_end_epoch(dtd_phase *p, dtd_out *out)
{
    p->epoch++;
    p->frozen = 0;
    out->announced = true;
}

#endif
