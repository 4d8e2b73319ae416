/*
 * dtd_tiny.h - worlds so small that all interleavings can be tried: a state as bytes, its moves.
 *
 * Two or three workers, one or two channels, a script of a few pieces of work; the detectors are
 * instances of the family given, and their blocks are part of the state.  The moves of a state are
 * everything that may happen next: a piece of work, data or a letter that arrives, a worker that
 * tells its state.
 */
#ifndef BESPOKE_DTD_TINY_H
#define BESPOKE_DTD_TINY_H

#include "dtd/dtd.h"

enum {
    DTD_TINY_WORKERS = 3,
    DTD_TINY_CHANNELS = 2,
    DTD_TINY_UNITS = 8,
    DTD_TINY_ASKS = 3,
    DTD_TINY_EPOCHS = 6,
    DTD_TINY_LETTERS = 16,
    DTD_TINY_KEY = 1000 /* bytes, at most */
};

#define DTD_TINY_LABELS(X)                                                      \
    X(WORK, "WORK", "a piece of work is done; it may send and ask")             \
    X(RECEIVE, "RECEIVE", "a counted message arrives")                          \
    X(REQUEST, "REQUEST", "a request arrives")                                  \
    X(ANSWER, "ANSWER", "an answer arrives")                                    \
    X(CONTROL, "CONTROL", "a letter of the detectors arrives")                  \
    X(STATE, "STATE", "a worker tells its state")                               \
    X(ANNOUNCE, "ANNOUNCE", "any of these, and an epoch has ended on a worker") \
    X(EARLY, "EARLY", "the same, but it had not, or nobody needed it")          \
    X(LATE, "LATE", "a message arrives after its epoch")                        \
    X(OVERFLOW, "OVERFLOW", "more letters, epochs or messages than fit")        \
    X(DONE, "DONE", "nobody waits any more, and nothing can happen")
#define DTD_TINY_ENUM(id, name, doc) DTD_TINY_##id,
typedef enum { DTD_TINY_LABELS(DTD_TINY_ENUM) DTD_TINY_LABEL_COUNT } dtd_tiny_label;
#undef DTD_TINY_ENUM
const char *dtd_tiny_label_name(dtd_tiny_label label);

/* A piece of work of a channel on a worker.  Numbers of units and asks from 1; 0 = none. */
typedef struct dtd_tiny_unit {
    uint8_t worker, channel;
    uint8_t at_start; /* how many there are in the beginning */
    uint8_t send[2];  /* units that go out as counted messages; of the same channel */
    uint8_t ask;      /* a request that goes out */
} dtd_tiny_unit;

typedef struct dtd_tiny_ask {
    uint8_t unit; /* what is to be done for it, in a later channel */
    uint8_t then; /* what its answer makes to do */
} dtd_tiny_ask;

typedef struct dtd_tiny_script {
    const char *name;
    uint8_t workers, channels;
    uint8_t need[DTD_TINY_WORKERS][DTD_TINY_CHANNELS]; /* the user waits here */
    dtd_tiny_unit unit[DTD_TINY_UNITS + 1];            /* from 1 */
    dtd_tiny_ask ask[DTD_TINY_ASKS + 1];
} dtd_tiny_script;

const dtd_tiny_script *dtd_tiny_scripts(size_t *count);

typedef void dtd_tiny_emit(void *self, dtd_tiny_label label, const uint8_t *key);

/* Bytes of a key, the same for all states; the key of the first one. */
size_t dtd_tiny_begin(const dtd_tiny_script *s, const dtd_class *c, uint8_t *key);

/** Emit all moves of a state; a state without any is a deadlock. */
void dtd_tiny_moves(const dtd_tiny_script *s, const dtd_class *c, const uint8_t *key,
                    dtd_tiny_emit *emit, void *self);

/** Try all interleavings.  NULL, or the label of a move that must not be, or "deadlock"; the number
    of states.  More than `most` states: "too many states". */
const char *dtd_tiny_explore(const dtd_tiny_script *s, const dtd_class *c, size_t most,
                             size_t *states);

#endif
