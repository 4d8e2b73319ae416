/*
 * sub_lts.h - some transitions of a model, written as an LTS of their own.
 *
 *     sub_lts part = SUB_LTS_INIT(m, initial, labels);
 *     sub_lts_add(&part, &edge, e) ...
 *     sub_lts_write(&part, "why.aut", e);
 *     sub_lts_release(&part);
 */
#ifndef BESPOKE_SUB_LTS_H
#define BESPOKE_SUB_LTS_H

#include "core/label_table.h"
#include "core/vec.h"

typedef struct sub_lts_edge {
    state_id from;
    uint32_t place; /* among the transitions of `from`, which keep their order */
    label_id label;
    state_id to;
} sub_lts_edge;

typedef struct sub_lts {
    mem *m;                    /* borrowed */
    state_id initial;          /* of the model */
    const label_table *labels; /* of the model; borrowed */
    VEC(sub_lts_edge) kept;
} sub_lts;

#define SUB_LTS_INIT(account, first, table) \
    ((sub_lts){ .m = (account), .initial = (first), .labels = (table) })

/** Keep a transition; again does no harm.  0 or ERR_LIMIT. */
int sub_lts_add(sub_lts *s, const sub_lts_edge *edge, err *e);

/**
 * Write what the initial state reaches over kept transitions, states numbered breadth-first
 * from 0; the suffix tells the format (lts_file.h).
 * Memory and time follow the part, not the model.  Blocks on the disk.
 * 0, ERR_REFUSED when the format cannot hold it, ERR_LIMIT, or the codes of output.h.
 */
int sub_lts_write(sub_lts *s, const char *path, err *e);

void sub_lts_release(sub_lts *s);

#endif
