/*
 * mcl_equations.h - a formula as blocks of fixed-point equations, ready to be encoded.
 *
 * Every fixed point, written by the user or hidden in a regular modality, is a variable with
 * one equation.  Negations are gone.  Variables that depend on each other share a block; an
 * equation uses variables of its own block and of later ones only.  Variable 0, in block 0,
 * is the formula itself.
 *
 * Right sides are expressions, numbered in one table in which operands come before what
 * they are operands of.  An expression is the operand of one other at most, except for
 * constants, variables and small local ones (below), which may be shared.
 */
#ifndef BESPOKE_MCL_EQUATIONS_H
#define BESPOKE_MCL_EQUATIONS_H

#include "lang/mcl.h"

enum { MCL_EXPR_FALSE_ID, MCL_EXPR_TRUE_ID }; /* the constants have fixed numbers */
enum { MCL_EXPR_HEIGHT_MAX = 500 };           /* so recursion over a right side is safe */

typedef enum {
    MCL_EXPR_FALSE,
    MCL_EXPR_TRUE,
    MCL_EXPR_OR,
    MCL_EXPR_AND,
    MCL_EXPR_DIAMOND, /* <action> left */
    MCL_EXPR_BOX,     /* [action] left */
    MCL_EXPR_VARIABLE
} mcl_expr_kind;

typedef struct mcl_expr {
    mcl_expr_kind kind;
    uint32_t left, right; /* operands; 0 when there is none */
    uint32_t which;       /* of a modality its action, of a variable its number */
    uint32_t height;      /* 1 for constants and variables */
    uint32_t depth;       /* modalities inside each other */
    bool closed;          /* no variable below */
} mcl_expr;

/* Closed, and decided by the labels of a state's own transitions alone: <true> true. */
static inline bool mcl_expr_is_local(const mcl_expr *x)
{
    return x->closed && x->depth <= 1;
}

typedef struct mcl_variable {
    const char *name;       /* unique; the user's own where possible */
    const mcl_node *origin; /* the fixed point or modality it stands for, for messages */
    uint32_t right;         /* its equation */
    uint32_t block;
    bool outer; /* in a block of kind buchi or cobuchi: of the outer fixed point */
} mcl_variable;

/* Kinds of blocks; id, name, what a solution is. */
#define MCL_BLOCKS(X)                                                              \
    X(MU, "mu", "the least one")                                                   \
    X(NU, "nu", "the greatest one")                                                \
    X(BUCHI, "buchi", "greatest in outer variables, for each least in the others") \
    X(COBUCHI, "cobuchi", "least in outer variables, for each greatest in the others")
#define MCL_ENUM(id, name, doc) MCL_BLOCK_##id,
typedef enum { MCL_BLOCKS(MCL_ENUM) MCL_BLOCK_KIND_COUNT } mcl_block_kind;
#undef MCL_ENUM

typedef struct mcl_block {
    mcl_block_kind kind;
    uint32_t first, count; /* its variables */
    bool acyclic;          /* no variable of it depends on itself */
} mcl_block;

typedef struct mcl_equations {
    mem *m;             /* borrowed */
    const mcl *formula; /* borrowed */
    arena store;        /* names */
    mcl_expr *exprs;    /* expr_count */
    mcl_variable *variables;
    mcl_block *blocks;
    const mcl_node **actions; /* distinct action formulas, for mcl_action_compile */
    uint32_t expr_count, variable_count, block_count, action_count;
    uint32_t expr_room, action_room; /* allocated */
} mcl_equations;

/**
 * Translate a checked formula, which must outlive the result.  Linear in its size.
 * 0; ERR_REFUSED with the place when least and greatest fixed points depend on each other
 * (other than under <R>@ and [R]-|); ERR_LIMIT.  On failure `out` is NULL.
 */
int mcl_equations_of(mcl_equations **out, mem *m, const mcl *formula, err *e);
void mcl_equations_close(mcl_equations *q);

/** The blocks as text, one equation per line, for people. */
void mcl_equations_print(const mcl_equations *q, FILE *to);
void mcl_expr_print(const mcl_equations *q, uint32_t expr, FILE *to);

const char *mcl_block_kind_name(mcl_block_kind kind);

#endif
