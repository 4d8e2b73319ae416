/*
 * dtd_host.h - the inside of a dtd_world: its state, what happens in it step by step, the truth.
 */
#ifndef BESPOKE_DTD_HOST_H
#define BESPOKE_DTD_HOST_H

#include "core/random.h"
#include "tests/dtd_world.h"

enum { WORKERS = 64, CHANNELS = 5, NOBODY = WORKERS, LETTERS_MAX = 4096 };

/* Data under way: for a channel of a worker, from one. */
typedef struct item {
    uint8_t kind, channel, from_channel, from, to;
    uint32_t epoch; /* of a unit */
} item;

/* Someone waits for the end of a channel here. */
typedef struct waiter {
    uint8_t at, channel, who, who_channel; /* who = NOBODY: the user */
    bool put_off;                          /* came while frozen: not yet work here */
} waiter;

typedef struct place { /* a channel on a worker */
    uint64_t sent, received;
    uint32_t work, open; /* pieces of work; requests not answered */
    uint32_t waiters, put_off;
    dtd_figures told;
} place;

typedef struct control {
    worker_id from;
    dtd_letter letter;
} control;

struct dtd_world {
    const dtd_class *c;
    dtd_shape s;
    dtd_tally *tally;
    random_stream r;
    uint32_t supply, all; /* `all`: channels with that of the whole run */
    dtd *detector[WORKERS];
    place at[WORKERS][CHANNELS];
    uint32_t under_way[CHANNELS], announced[CHANNELS];
    bool needed[CHANNELS]; /* a need was told in this epoch */
    bool stopped[WORKERS];
    bool solved; /* what the user asked of worker 0 is known: the whole run may end */
    item *data;
    waiter *waits;
    control *letters;
    dtd_letter *out;
    size_t data_count, wait_count, letter_count, data_room, wait_room;
    uint64_t run_letters, run_changes, run_announcements;
    char wrong[160];
};

/* A number below `below`. */
uint32_t dtd_host_draw(dtd_world *w, uint32_t below);

/* The detector was wrong; the first sentence is kept. */
void dtd_host_blame(dtd_world *w, const char *what, worker_id j, uint32_t channel);

/* Someone waits from now on. */
void dtd_host_wait(dtd_world *w, waiter x);

/* One step; true: something happened.  A worker tells its state, does a piece of work; data `i`
   arrives. */
bool dtd_host_state(dtd_world *w, worker_id j);
bool dtd_host_work(dtd_world *w, worker_id j);
bool dtd_host_data(dtd_world *w, size_t i);

/* The oldest letter between the two workers of letter `i` arrives. */
void dtd_host_letter(dtd_world *w, size_t i);

#endif
