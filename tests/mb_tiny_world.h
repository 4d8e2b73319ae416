/*
 * mb_tiny_world.h - the inside of a tiny net: for mb_tiny*.c alone.
 */
#ifndef BESPOKE_MB_TINY_WORLD_H
#define BESPOKE_MB_TINY_WORLD_H

#include "algorithms/mb_inner.h"
#include "tests/mb_tiny.h"

enum {
    TINY_CHANNELS = 5,
    TINY_DATA = 96,
    TINY_LETTERS = 96,
    TINY_BLOCK_WORDS = 200, /* of a detector, 8 bytes each */
    TINY_STATE = 1 << 15,   /* bytes */
    TINY_MOVES = 256
};

/* A message under way, or a letter; in a row by pair and kind, the oldest first. */
typedef struct tiny_data {
    uint8_t from, to, kind, epoch;
    uint32_t word[2];
} tiny_data;

enum { TINY_DETECTOR, TINY_UP, TINY_DOWN };

typedef struct tiny_letter {
    uint8_t from, to, type;
    dtd_message message;
    uint64_t sum[COMM_SUMS_MAX];
} tiny_letter;

typedef struct tiny_channel {
    dtd_figures now, told;
    bool unsure;
} tiny_channel;

typedef struct tiny_sum {
    uint64_t part[COMM_SUMS_MAX], result[COMM_SUMS_MAX];
    uint32_t missing;
    bool begun, up, arrived;
} tiny_sum;

/* A worker's end. */
typedef struct tiny_end {
    comm face; /* first */
    struct comm_net *net;
    worker_id self;
    void *user;
    bool open, polled, done, leaving, left; /* polled: data, and no step since */
    tiny_channel channel[TINY_CHANNELS];
    tiny_sum sum;
    uint64_t detector[TINY_BLOCK_WORDS];
} tiny_end;

struct comm_net {
    comm_config config;
    const comm_program *program;
    void *input;
    comm_slot slot[COMM_KINDS_MAX];
    uint64_t sent[COMM_KINDS_MAX];      /* what comm_place counts; nobody looks, */
    uint64_t figures[COMM_FIGURES_OWN]; /*   nor at these */
    uint32_t room;
    tiny_end end[MB_TINY_WORKERS];
    tiny_data data[TINY_DATA];
    tiny_letter letter[TINY_LETTERS];
    uint32_t data_count, letter_count;
    const struct tiny_guide *guide;
    const char *wrong;
    err e;
};

/* Who decides; `transport_options` of the solver. */
typedef struct tiny_guide {
    void (*explore)(struct comm_net *n, void *self);
    void *self;
    uint32_t room;
} tiny_guide;

typedef enum { TINY_STEP, TINY_LETTER, TINY_MESSAGE } tiny_what;

typedef struct tiny_move {
    tiny_what what;
    uint32_t at; /* worker, or number of the letter or message */
} tiny_move;

/* What may happen now; how many. */
uint32_t mb_tiny_moves(const comm_net *n, tiny_move *list);
void mb_tiny_move(comm_net *n, tiny_move move);
bool mb_tiny_is_over(const comm_net *n); /* all have left */

/* The world as bytes, and back; how many. */
size_t mb_tiny_save(comm_net *n, uint8_t *bytes);
void mb_tiny_load(comm_net *n, const uint8_t *bytes);

static inline dtd *tiny_detector(tiny_end *c) { return (dtd *)(void *)c->detector; }

#endif
