/*
 * bes_raw.h - a .bes text as lists, before it is known to make sense.  Private to lang/bes*.c.
 *
 *     bes_grammar  text to lists: what is written
 *     bes_resolve  numbers become places in the lists: is everything defined, and once?
 *     bes_order    callers before callees: does no block depend on itself?
 *     bes_build    the lists become a bes
 */
#ifndef BESPOKE_BES_RAW_H
#define BESPOKE_BES_RAW_H

#include "core/vec.h"
#include "lang/bes.h"
#include "lang/bes_lex.h"

/* An operand: a variable of a block by their numbers; once resolved, an equation and a block
   by their places in the lists.  A constant has no block and 0 or 1 as variable. */
typedef struct bes_raw_operand {
    uint32_t variable, block;
} bes_raw_operand;

#define BES_RAW_CONSTANT UINT32_MAX

typedef struct bes_raw_equation {
    size_t offset;     /* of its left side in the text */
    size_t first;      /* of its operands; they end where those of the next begin */
    uint32_t variable; /* on its left side */
    graph_op op;       /* of an equation with one operand: or, until bes_build */
} bes_raw_equation;

typedef struct bes_raw_block {
    size_t offset;  /* of its name in the text */
    uint32_t first; /* of its equations */
    uint32_t number, mode;
    graph_sign sign;
    bool unique;
} bes_raw_block;

/* Behind the last block and the last equation stands one more, for the ends. */
typedef struct bes_raw {
    mem *m;
    const char *name, *text; /* borrowed */
    size_t bytes;
    progress *clock;
    VEC(bes_raw_block) block;
    VEC(bes_raw_equation) equation;
    VEC(bes_raw_operand) operand;
} bes_raw;

static inline uint32_t bes_raw_blocks(const bes_raw *r)
{
    return (uint32_t)r->block.count - 1;
}

static inline uint32_t bes_raw_equations(const bes_raw *r)
{
    return (uint32_t)r->equation.count - 1;
}

/* The operands of a block are one stretch of the list. */
static inline size_t bes_raw_first_operand(const bes_raw *r, uint32_t block)
{
    return r->equation.at[r->block.at[block].first].first;
}

void bes_raw_release(bes_raw *r);

/** Fill the lists from the text.  0, ERR_INPUT, ERR_LIMIT. */
int bes_grammar(bes_raw *r, err *e);

/** Numbers to places.  0, ERR_INPUT, ERR_LIMIT. */
int bes_resolve(bes_raw *r, err *e);

/** `order` (one per block) gets the blocks, callers first.  0, ERR_INPUT, ERR_LIMIT. */
int bes_order(const bes_raw *r, uint32_t *order, err *e);

/** The system, with its blocks in that order.  0 or ERR_LIMIT. */
int bes_build(bes *out, const bes_raw *r, const uint32_t *order, err *e);

/** A lexer at a byte of the text, to complain with. */
bes_lex bes_raw_at(const bes_raw *r, size_t offset);

/** Where an operand is written: found by reading its equation again. */
const char *bes_raw_where(const bes_raw *r, size_t operand);

#endif
