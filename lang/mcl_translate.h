/*
 * mcl_translate.h - from the tree to equations, before they are sorted into blocks.
 * Between mcl_translate.c, mcl_blocks.c and mcl_equations.c only.
 */
#ifndef BESPOKE_MCL_TRANSLATE_H
#define BESPOKE_MCL_TRANSLATE_H

#include "core/vec.h"
#include "lang/mcl_equations.h"

typedef enum { MCL_SIGN_NONE, MCL_SIGN_MU, MCL_SIGN_NU } mcl_sign;

/* A variable.  One without sign merely names an expression that is needed twice. */
typedef struct mcl_raw_variable {
    mcl_sign sign;
    bool outer;             /* the X of <R>@ = nu X . <R> X, or its dual */
    uint32_t loop;          /* number of the <R>@ or [R]-| it belongs to, or 0 */
    uint32_t right;         /* its expression */
    uint32_t entry;         /* expression for its value from outside its scope */
    uint32_t recursion;     /* expression for an occurrence inside its scope */
    const mcl_node *origin; /* borrowed from the tree */
} mcl_raw_variable;

typedef struct mcl_raw {
    mem *m;
    const mcl *formula;
    VEC(mcl_expr) exprs;
    VEC(const mcl_node *) actions;
    VEC(mcl_raw_variable) variables; /* the first is the formula itself */
} mcl_raw;

/** Translate the tree of raw->formula.  0, or ERR_LIMIT; the caller owns the three vecs. */
int mcl_translate(mcl_raw *raw, err *e);

/**
 * Sort the variables into blocks: fills variables and blocks of `q`, whose m and exprs
 * are set, and renumbers the variables in q->exprs.
 * 0, ERR_REFUSED (alternation), or ERR_LIMIT.
 */
int mcl_blocks_of(mcl_equations *q, const mcl_raw *raw, err *e);

#endif
