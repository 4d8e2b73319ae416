/*
 * dtd_world.h - a seeded world in one thread for detectors: workers, channels, work, messages.
 *
 * Work of a channel begets work: here, elsewhere by counted messages, or in a later channel by a
 * request, which is answered at once or when that channel is announced.  Letters and data are
 * delayed at random, letters in order between two workers, data in any order.  The world knows
 * the truth, so it judges each announcement without the detector's help.
 */
#ifndef BESPOKE_DTD_WORLD_H
#define BESPOKE_DTD_WORLD_H

#include "dtd/dtd.h"

typedef struct dtd_world dtd_world;

/* What a world is like; dtd_world_shape draws one. */
typedef struct dtd_shape {
    uint64_t seed;
    uint32_t workers, channels; /* without that of the whole run */
    uint32_t supply;            /* pieces of work in all */
    uint32_t weight[4];         /* how often: data, letter, work, state */
    worker_id slow;             /* acts in one of `slowness` turns */
    uint32_t slowness;
    bool whole;     /* there is a channel for the whole run, the last one */
    bool requests;  /* channels ask each other; otherwise only messages wake */
    bool idle_only; /* states are told by workers without any work */
    bool park;      /* data of the next epoch waits, instead of advancing its receiver */
    bool newest;    /* data overtakes */
    bool patient;   /* requests that were put off are no need */
    bool trace;     /* print letters and announcements */
    bool exact;     /* freezing may not fail: for rings, where only messages wake */
} dtd_shape;

/* What was seen, added up over runs. */
typedef struct dtd_tally {
    uint64_t runs, steps, announcements; /* an announcement counts once, not per worker */
    uint64_t letters, envelopes; /* letters of one event to one worker go together */
    uint64_t changes;            /* states told that differ from the last */
    uint64_t thawed;             /* frozen workers that were told to go on */
    uint64_t reopened, advanced, put_off;
    double most; /* letters per worker and (change or announcement), the worst run */
} dtd_tally;

dtd_shape dtd_world_shape(uint64_t seed);

/* One world can be run many times; NULL when there is no memory. */
dtd_world *dtd_world_open(void);
void dtd_world_close(dtd_world *w);

/** Run a shape to its end.  NULL, or what the detector did wrong, valid until the next run. */
const char *dtd_world_run(dtd_world *w, const dtd_class *c, const dtd_shape *shape,
                          dtd_tally *tally);

/* A shape in words, for a replay; BESPOKE_TEST_TRACE shows every letter of it. */
void dtd_world_print(const dtd_shape *shape, const char *detector, const char *wrong);

#endif
