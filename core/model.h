/*
 * model.h - a system whose states are computed when they are asked for.
 *
 * A state is a key: `key_words` words of 32 bits, the same number for all states of a model;
 * equal states have equal keys.  Whoever has a key can ask for its moves: a label and the key of the
 * state that it leads to, each.  A deadlock is a state without moves.  Nothing else is known
 * of a model: not how many states there are, nor what a key means.
 *
 * A model does not change once it is open: any number of threads may ask it at once, each with
 * a context of its own, which holds the scratch memory that an answer needs.
 *
 * To explore a model, read this far; to write one, fill a model_class.
 */
#ifndef BESPOKE_MODEL_H
#define BESPOKE_MODEL_H

#include "core/lts.h"

enum { MODEL_KEY_WORDS_MAX = 256 };

typedef struct model model;

/* Where moves are put: a caller's buffer, kept from state to state.  Two moves may be equal. */
typedef struct model_moves {
    mem *m;             /* borrowed */
    uint32_t key_words; /* of the model */
    uint32_t count;     /* moves in it */
    uint32_t room;      /* moves that fit without growing */
    label_id *label;    /* of move i */
    uint32_t *key;      /* of move i: key_words words from key[i * key_words] on */
    uint64_t *hash;     /* of the key of move i; see model_moves_settle */
    uint32_t *marks;    /* scratch of model_moves_settle, for long rows */
} model_moves;

typedef struct model_class {
    const char *name; /* "network" */
    /* What one thread needs.  Owned by the caller, closed before the model.  0 or a code. */
    int (*context_open)(const model *s, void **out, err *e);
    void (*context_close)(const model *s, void *context);
    /* Append the moves of `key`, the same in the same order every time, with
       model_moves_add.  `key` is none of the buffer's.  0 or a code. */
    int (*moves)(const model *s, void *context, const uint32_t *key, model_moves *out,
                 err *e);
    /* A state for people, on one line: at most `bytes` with the NUL. */
    void (*print)(const model *s, void *context, const uint32_t *key, char *into,
                  size_t bytes);
    void (*close)(model *s);
} model_class;

/* What every model begins with. */
struct model {
    const model_class *class;
    mem *m;                     /* borrowed */
    uint32_t key_words;         /* 1 .. MODEL_KEY_WORDS_MAX */
    const uint32_t *initial;    /* the key of the initial state */
    const label_table *labels;  /* complete; a label need not occur */
    const label_table *further; /* labels of its parts, which may be asked for though no
                                   move may have them; NULL: none */
    const lts *rows;          /* of an explicit one, whose keys are state numbers: all of
                                  it; else NULL */
    const char *const *files; /* all that was read for it, the one that was named first */
    size_t file_count;
};

static inline void model_close(model *s)
{
    if (s) s->class->close(s);
}

static inline int model_context_open(const model *s, void **out, err *e)
{
    return s->class->context_open(s, out, e);
}

/** Accepts NULL. */
static inline void model_context_close(const model *s, void *context)
{
    if (context) s->class->context_close(s, context);
}

/** The moves of a state, replacing what is in the buffer.  0; ERR_LIMIT; ERR_INPUT when a model
    that is somebody's program does what it may not. */
static inline int model_moves_of(const model *s, void *context, const uint32_t *key,
                                 model_moves *out, err *e)
{
    out->count = 0;
    return s->class->moves(s, context, key, out, e);
}

/* ---- the buffer -------------------------------------------------------------------------- */

#define MODEL_MOVES_INIT(s) ((model_moves){ .m = (s)->m, .key_words = (s)->key_words })

void model_moves_release(model_moves *o);

/** Room for one move more.  0 or ERR_LIMIT. */
int model_moves_grow(model_moves *o, err *e);

/** A move more: where its key belongs, or NULL with ERR_LIMIT. */
static inline uint32_t *model_moves_add(model_moves *o, label_id label, err *e)
{
    if (o->count == o->room && model_moves_grow(o, e) != 0) return NULL;
    o->label[o->count] = label;
    return o->key + (size_t)o->count++ * o->key_words;
}

/** Hash all keys (vertex_store_hash) and keep of equal moves the first: moves are a set. */
void model_moves_settle(model_moves *o);

static inline const uint32_t *model_moves_key(const model_moves *o, uint32_t i)
{
    return o->key + (size_t)i * o->key_words;
}

#endif
