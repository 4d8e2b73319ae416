/*
 * sub_lts.h - some transitions of an LTS, written as one of its own.
 *
 *     sub_lts part = SUB_LTS_INIT(m, g);
 *     sub_lts_add(&part, transition, e) ...
 *     sub_lts_write(&part, "why.aut", e);
 *     sub_lts_release(&part);
 */
#ifndef BESPOKE_SUB_LTS_H
#define BESPOKE_SUB_LTS_H

#include "core/lts.h"
#include "core/vec.h"

typedef struct sub_lts {
    mem *m;           /* borrowed */
    const lts *whole; /* borrowed */
    VEC(uint64_t) kept;
} sub_lts;

#define SUB_LTS_INIT(account, g) ((sub_lts){ .m = (account), .whole = (g) })

/** Keep a transition, by its number; again does no harm.  0 or ERR_LIMIT. */
int sub_lts_add(sub_lts *s, uint64_t transition, err *e);

/**
 * Write what the initial state reaches over kept transitions, states numbered breadth-first
 * from 0; the suffix tells the format (lts_file.h).  Blocks on the disk.
 * 0, ERR_REFUSED when the format cannot hold it, ERR_LIMIT, or the codes of output.h.
 */
int sub_lts_write(sub_lts *s, const char *path, err *e);

void sub_lts_release(sub_lts *s);

#endif
