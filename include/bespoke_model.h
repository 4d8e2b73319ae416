/*
 * bespoke_model.h - write a model in C, or in what can be called from C.
 *
 * A plug-in is a shared object that defines one constant, `bespoke_model`:
 *
 *     #include <bespoke_model.h>
 *
 *     const bespoke_plugin bespoke_model = {
 *         BESPOKE_PLUGIN_HEAD,
 *         .name = "counter",
 *         .open = counter_open,
 *         .moves = counter_moves,
 *     };
 *
 *     cc -shared -fPIC -O2 -I PREFIX/include -o counter.so counter.c
 *     bespoke explore counter.so --model-arg 1000
 *
 * A state is a key: key_words words of 32 bits, the same number for all states.  Equal states
 * have equal keys, so bits that mean nothing must always be the same.  A move is the number of a
 * label and the key of the state that it leads to; a state without moves is a deadlock.
 *
 * Threads: what `open` returned does not change until `close`.  Any number of threads may ask for
 * moves at once; each has a context of its own, made by `context_open`, for scratch memory.
 * A function never needs a lock, a global variable or a thread-local one.
 *
 * Trust: a plug-in is a program that runs inside bespoke.  What it says is checked, what it
 * does is not.
 *
 * C99 and later; C++ too (designated initialisers since C++20).  This file needs nothing else
 * of bespoke, and a plug-in is linked with nothing.
 */
#ifndef BESPOKE_MODEL_PLUGIN_H
#define BESPOKE_MODEL_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a plug-in must be built again. */
#define BESPOKE_MODEL_ABI 1u

enum {
    BESPOKE_KEY_WORDS_MAX = 256,
    BESPOKE_LABELS_MAX = 1 << 24,
    BESPOKE_MOVES_MAX = 1 << 24, /* of one state */
    BESPOKE_TROUBLE_BYTES = 256
};

/* What `open` tells of the model.  All that is pointed to is copied when it returns. */
typedef struct bespoke_shape {
    uint32_t key_words;      /* 1 .. BESPOKE_KEY_WORDS_MAX */
    const uint32_t *initial; /* the key of the initial state */
    uint32_t label_count;    /* labels are 0 .. label_count-1 in bespoke_emit */
    const char *const
        *labels; /* their texts, all different, of printable characters; "i" is
                                  the hidden label */
    char trouble[BESPOKE_TROUBLE_BYTES]; /* why it fails, if it does: a sentence */
} bespoke_shape;

/* Where the moves of a state go. */
typedef struct bespoke_out {
    int (*emit)(struct bespoke_out *out, uint32_t label, const uint32_t *key);
    char trouble[BESPOKE_TROUBLE_BYTES]; /* as above */
} bespoke_out;

/** One move more; `key` is copied.  0, or that no more are wanted: one may go on all the same. */
static inline int bespoke_emit(bespoke_out *out, uint32_t label, const uint32_t *key)
{
    return out->emit(out, label, key);
}

typedef struct bespoke_plugin {
    uint32_t abi;     /* these two: */
    uint32_t bytes;   /*   BESPOKE_PLUGIN_HEAD */
    const char *name; /* "counter": for people */

    /* A model for these arguments (--model-arg), and its shape.  NULL if that cannot be, with a
       sentence in shape->trouble.  A model that needs no memory returns the address of anything. */
    void *(*open)(bespoke_shape *shape, size_t argument_count,
                  const char *const *arguments);
    /* Free it.  NULL: nothing is to be freed. */
    void (*close)(void *model);

    /* What one thread needs; NULL when there is no memory.  Both or none. */
    void *(*context_open)(const void *model);
    void (*context_close)(const void *model, void *context);

    /* Emit all moves of a state, the same in the same order every time.  0, or not: then the
       run ends, with the sentence in out->trouble.  `context` is NULL without context_open. */
    int (*moves)(const void *model, void *context, const uint32_t *key, bespoke_out *out);

    /* A state for people, on one line: at most `bytes` with the NUL, as for snprintf.
       NULL: its words are printed. */
    void (*print)(const void *model, const uint32_t *key, char *into, size_t bytes);
} bespoke_plugin;

#define BESPOKE_PLUGIN_HEAD .abi = BESPOKE_MODEL_ABI, .bytes = sizeof(bespoke_plugin)

/* The one symbol that is looked for. */
extern
#ifdef __GNUC__
    __attribute__((visibility("default")))
#endif
    const bespoke_plugin bespoke_model;

#ifdef __cplusplus
}
#endif

#endif
