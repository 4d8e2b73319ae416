/*
 * explore_rows.h - the rows of an exploration, on their way to an LTS.  For its files only.
 */
#ifndef BESPOKE_EXPLORE_ROWS_H
#define BESPOKE_EXPLORE_ROWS_H

#include "core/lts.h"
#include "core/vec.h"

/* Rows in the order in which states were looked at. */
typedef struct explore_rows {
    mem *m;
    VEC(uint64_t) first; /* of row i; one more at the end */
    VEC(state_id) target;
    VEC(uint8_t) label; /* label_bytes per transition */
    unsigned label_bytes;
    VEC(state_id)
    row; /* of a state, when rows are not in the order of numbers; else empty */
} explore_rows;

/** Room for so many rows and transitions more, and a row's end.  0 or ERR_LIMIT. */
int explore_rows_reserve(explore_rows *r, uint64_t states, uint64_t transitions, err *e);
void explore_rows_release(explore_rows *r);

/** Number states breadth-first, and labels in order of first use; the rows become an LTS. */
int explore_rows_take(explore_rows *r, const label_table *labels, lts *out, err *e);

static inline void explore_rows_put(explore_rows *r, uint64_t t, label_id label,
                                    state_id target)
{
    r->target.at[t] = target;
    if (r->label_bytes == 1) r->label.at[t] = (uint8_t)label;
    else if (r->label_bytes == 2) ((uint16_t *)r->label.at)[t] = (uint16_t)label;
    else ((uint32_t *)r->label.at)[t] = label;
}

#endif
