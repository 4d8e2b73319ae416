/*
 * naive_mcl.h - the meaning of formulas on small models, by definition.
 *
 * Two evaluators that share no code with the translation or with each other: one of the
 * parsed tree, in which a regular formula is the relation between states that it denotes,
 * one of the equations, by rounds over a block.  Sets of states are 64 bits wide.
 */
#ifndef BESPOKE_NAIVE_MCL_H
#define BESPOKE_NAIVE_MCL_H

#include "core/lts.h"
#include "lang/mcl_action.h"
#include "lang/mcl_equations.h"

enum { NAIVE_STATES_MAX = 64, NAIVE_BINDERS_MAX = 4096 };

typedef uint64_t naive_set;

/* The states of `g` (at most NAIVE_STATES_MAX) where the formula holds; aborts when the
   tree has more than NAIVE_BINDERS_MAX nodes. */
naive_set naive_mcl_tree(const mcl *f, const lts *g);

/* The same for the equations; `sets` are q->actions over the labels of `g`. */
naive_set naive_mcl_equations(const mcl_equations *q, const mcl_action_sets *sets,
                              const lts *g);

#endif
