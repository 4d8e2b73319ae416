/*
 * network_table.h - what a network needs while it is explored.
 *
 * The moves of a state are found by its components in turn: each goes through what it can
 * do in its own state, and for each label through the vectors that it leads; their other
 * participants are looked up.  A vector has one leader, the participant whose label is
 * enabled in the smallest share of its component's states.
 *
 * The order of moves: by component of the leader, its label (in the order of first use in
 * its file), the vector (in the order the operators made them), then the targets
 * ascending, those of the leader slowest.
 */
#ifndef BESPOKE_NETWORK_TABLE_H
#define BESPOKE_NETWORK_TABLE_H

#include "core/model.h"
#include "models/network_compile.h"

/* A component: where its state stands in a key, and what its rows say, close at hand. */
typedef struct network_field {
    uint32_t word, shift;
    uint32_t mask;    /* of a state, not shifted */
    uint32_t leading; /* number of its label 0 in `lead` */
    network_view view;
    network_rows *rows;
} network_field;

/* Whether the second participant of a vector might be ready: by the lowest bits of its
   state. */
typedef struct network_hint {
    uint64_t trace; /* of its label; all bits where there is no second one */
    uint32_t mask;  /* of its state, six bits at most */
    uint16_t word, shift;
} network_hint;

typedef struct network_table {
    mem *m;
    network_field *field; /* per component */
    uint32_t components;
    uint32_t *leader; /* the components that lead a vector, ascending */
    uint32_t leaders;
    uint32_t key_words;
    network_file *file; /* owned */
    size_t files;
    network_vector *vector; /* ascending by leader, which is each one's first part; then
                               the ones that guards name */
    uint32_t vectors, led;  /* all; those with a leader */
    network_hint *hint;     /* per vector with a leader */
    network_part *part; /* of vectors; behind the leader the seldom enabled ones first */
    size_t parts;
    uint32_t *lead; /* vectors lead[k] .. lead[k+1]-1 are led by (component, label) k */
    size_t leads;   /* k's */
    uint32_t *guard;
    size_t guard_count;
    network_span *guards;
    size_t guards_count;
    network_span *above; /* of blockers, the vectors from number `led` on */
    size_t above_count;
    uint32_t *watched; /* blockers watch[watched[k]] .. are led by (component, label) k */
    uint32_t *watch;
    uint32_t *kin;       /* per blocker: the first one of its span */
    uint32_t most_parts; /* of a vector */
    label_table *labels; /* of the vectors with a leader */
} network_table;

/** Make the tables of what was compiled; files are taken from the compiler.  Close in any
    case.  0; ERR_LIMIT. */
int network_table_open(network_table *t, network_compiler *c, err *e);
void network_table_close(network_table *t);

/* ---- while exploring (network_moves.c) ---------------------------------------------------- */

static inline uint32_t network_field_get(const network_field *f, const uint32_t *key)
{
    return key[f->word] >> f->shift & f->mask;
}

static inline void network_field_set(const network_field *f, uint32_t *key,
                                     uint32_t state)
{
    key[f->word] = (key[f->word] & ~(f->mask << f->shift)) | state << f->shift;
}

static inline uint32_t network_hint_may(const network_hint *h, const uint32_t *key)
{
    return (uint32_t)(h->trace >> (key[h->word] >> h->shift & h->mask)) & 1;
}

int network_moves_open(const network_table *t, mem *m, void **out, err *e);
void network_moves_close(const network_table *t, mem *m, void *context);
int network_moves(const network_table *t, void *context, const uint32_t *key,
                  model_moves *out, err *e);

#endif
