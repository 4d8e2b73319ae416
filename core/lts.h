/*
 * lts.h - an explicit labelled transition system in compressed rows.
 *
 * The transitions of state s are numbers first[s] .. first[s+1]-1; transition t goes to
 * target[t] and carries label lts_label(g, t).  Within a state they keep the order of the
 * file, duplicates included.  8 bytes per state, 4 + label width per transition.
 */
#ifndef BESPOKE_LTS_H
#define BESPOKE_LTS_H

#include "core/label_table.h"

typedef struct lts {
    mem *m;               /* borrowed: the account of all that is owned below */
    state_id states;      /* states are 0 .. states-1 */
    state_id initial;     /* < states */
    uint64_t transitions; /* = first[states] */
    uint64_t *first;      /* states + 1 entries */
    state_id *target;     /* one per transition */
    void *label;          /* one per transition, label_bytes wide */
    unsigned label_bytes; /* 1, 2 or 4: the smallest that holds every label */
    label_table *labels;  /* owned */
    void *map;            /* owned mapping that holds the three arrays, or NULL: */
    size_t map_bytes;     /*   then they are blocks of `m` */
} lts;

/** Free what the LTS owns and make it empty.  Accepts half-built ones. */
void lts_close(lts *g);

/** Allocate first, target and label for the counts and width set in `g`. 0 or ERR_LIMIT. */
int lts_allocate(lts *g, err *e);

/** The most transitions that a state has.  Looks at all states. */
uint64_t lts_longest_row(const lts *g);

static inline label_id lts_label(const lts *g, uint64_t t)
{
    if (g->label_bytes == 1) return ((const uint8_t *)g->label)[t];
    if (g->label_bytes == 2) return ((const uint16_t *)g->label)[t];
    return ((const uint32_t *)g->label)[t];
}

/* The transitions of one state, of which there are fewer than 2^32 (lts_model_open checks). */
typedef struct lts_row {
    const state_id *target; /* of transition i of the state */
    const void *label;      /* label_bytes wide; see lts_row_label */
    unsigned label_bytes;
    uint32_t count;
} lts_row;

static inline lts_row lts_row_of(const lts *g, state_id s)
{
    uint64_t first = g->first[s];
    const char *label = g->label;
    return (lts_row){ g->target + first, label + first * g->label_bytes, g->label_bytes,
                      (uint32_t)(g->first[s + 1] - first) };
}

static inline label_id lts_row_label(const lts_row *r, uint32_t i)
{
    if (r->label_bytes == 1) return ((const uint8_t *)r->label)[i];
    if (r->label_bytes == 2) return ((const uint16_t *)r->label)[i];
    return ((const uint32_t *)r->label)[i];
}

static inline void lts_set_label(lts *g, uint64_t t, label_id l)
{
    if (g->label_bytes == 1) ((uint8_t *)g->label)[t] = (uint8_t)l;
    else if (g->label_bytes == 2) ((uint16_t *)g->label)[t] = (uint16_t)l;
    else ((uint32_t *)g->label)[t] = l;
}

#endif
