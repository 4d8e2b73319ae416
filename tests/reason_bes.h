/*
 * reason_bes.h - an equation system solved in parts who then say why.
 */
#ifndef BESPOKE_REASON_BES_H
#define BESPOKE_REASON_BES_H

#include "lang/bes.h"
#include "tests/reason_case.h"

typedef struct reason_bes {
    const bes *b;
    vertex_id root;
    bool right; /* its value */
    worker_id workers, first, here;
    uint32_t ranks; /* that the net knows of */
    mb_options o;
} reason_bes;

/** NULL, or what is wrong. */
const char *reason_bes_run(const reason_bes *c, random_stream *chance);

#endif
