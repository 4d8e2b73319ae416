/*
 * mcl_action.h - action formulas as sets of labels.
 *
 * Every formula is evaluated once, against the labels of a model: strings by lookup, regular
 * expressions once per label, operators on 64 labels at a time.  Afterwards a transition
 * costs one bit.
 */
#ifndef BESPOKE_MCL_ACTION_H
#define BESPOKE_MCL_ACTION_H

#include "core/label_table.h"
#include "lang/mcl_tree.h"

typedef struct mcl_action_sets mcl_action_sets;

/**
 * Evaluate `count` action formulas, checked ones, over all labels of the table.  Time is
 * linear in the labels.  Nothing is kept of formulas or labels.  0, or ERR_LIMIT.
 */
int mcl_action_compile(mcl_action_sets **out, mem *m, const mcl_node *const *formula,
                       size_t count, const label_table *labels, err *e);
void mcl_action_close(mcl_action_sets *s);

/** The label that a string of a formula means, or LABEL_NONE.  A quote in it is one in the
    label, whether the model writes it bare or (in strings of up to 2 KiB) behind a
    backslash. */
label_id mcl_action_label(const label_table *labels, const mcl_node *string);

/* The set of the formula with this index: bit l % 64 of word l / 64 is label l. */
const uint64_t *mcl_action_set(const mcl_action_sets *s, size_t index);

/* How many labels are in it. */
label_id mcl_action_count(const mcl_action_sets *s, size_t index);

static inline bool mcl_action_has(const uint64_t *set, label_id l)
{
    return (set[l / 64] >> (l % 64)) & 1;
}

#endif
