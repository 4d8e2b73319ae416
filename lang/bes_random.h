/*
 * bes_random.h - random Boolean equation systems, for tests and measurements.
 */
#ifndef BESPOKE_BES_RANDOM_H
#define BESPOKE_BES_RANDOM_H

#include "lang/bes.h"

/* id, name, what it means */
#define BES_SHAPES(X)                                                            \
    X(GENERAL, "general", "nothing is promised")                                 \
    X(ACYCLIC, "acyclic", "no cycle within a block")                             \
    X(DISJUNCTIVE, "disjunctive", "an and has at most one operand of its block") \
    X(CONJUNCTIVE, "conjunctive", "an or has at most one operand of its block")
#define BES_SHAPE_ENUM(id, name, doc) BES_SHAPE_##id,
typedef enum { BES_SHAPES(BES_SHAPE_ENUM) BES_SHAPE_COUNT } bes_shape;
#undef BES_SHAPE_ENUM

typedef struct bes_random_options {
    vertex_id variables; /* in all, > 0; shared out evenly, earlier blocks get the rest */
    uint32_t blocks;     /* > 0, <= variables; signs alternate at random */
    double degree;       /* operands per equation on average; 0 .. 2 * degree each */
    double and_share;    /* of equations that are conjunctions, 0 .. 1 */
    bes_shape shape;     /* of every block */
    uint64_t seed;       /* the same seed gives the same system, everywhere */
} bes_random_options;

const char *bes_shape_name(bes_shape s);
const char *bes_shape_doc(bes_shape s);

/** 0 or ERR_LIMIT.  Variables are numbered from 0 in each block, blocks from 0. */
int bes_random(bes *out, mem *m, const bes_random_options *o, err *e);

#endif
