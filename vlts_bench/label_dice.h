/*
 * label_dice.h - which visible labels the transitions of a surrogate carry.
 *
 * Labels are numbers 0 .. labels-1; the last one is the mark.  Label j is thrown with a
 * weight of 1 / (j + 4), the mark never (unless it is alone); and each label falls due once,
 * evenly over the first quarter of the transitions, so that all of them are used.
 */
#ifndef BESPOKE_LABEL_DICE_H
#define BESPOKE_LABEL_DICE_H

#include "core/mem.h"
#include "core/random.h"

#include <stdbool.h>

#define LABEL_DICE_NONE UINT32_MAX

typedef struct label_dice {
    mem *m;          /* borrowed */
    uint32_t *face;  /* owned; 2^bits labels, each as often as its weight says */
    uint64_t *used;  /* owned; one bit per label: the state at hand has it */
    uint32_t labels; /* > 0 */
    unsigned bits;
    uint64_t thrown; /* visible transitions so far */
    uint64_t span;   /* the first of them, over which labels fall due; >= labels */
    uint64_t due_at; /* transition at which label `due` falls due */
    uint32_t due;    /* = labels when all have been */
} label_dice;

/** For a number of labels and of transitions that carry them.  0 or ERR_LIMIT. */
int label_dice_open(label_dice *d, mem *m, uint32_t labels, uint64_t transitions, err *e);
void label_dice_close(label_dice *d);

/* The label that the next visible transition must carry, or LABEL_DICE_NONE; counts it. */
static inline uint32_t label_dice_due(label_dice *d)
{
    if (d->thrown++ != d->due_at) return LABEL_DICE_NONE;
    uint32_t label = d->due++;
    d->due_at = d->due < d->labels
                    ? (uint64_t)((unsigned __int128)d->due * d->span / d->labels)
                    : UINT64_MAX;
    return label;
}

/* Any label but the mark. */
static inline uint32_t label_dice_throw(const label_dice *d, random_stream *chance)
{
    return d->face[random_next(chance) >> (64 - d->bits)];
}

/* A label that the state at hand has not; label_dice_take marks one as had. */
uint32_t label_dice_throw_new(const label_dice *d, random_stream *chance);

static inline void label_dice_take(label_dice *d, uint32_t label)
{
    d->used[label / 64] |= UINT64_C(1) << (label % 64);
}

static inline void label_dice_give_back(label_dice *d, uint32_t label)
{
    d->used[label / 64] &= ~(UINT64_C(1) << (label % 64));
}

#endif
