/*
 * mcl_check.h - is a parsed tree a formula?  Scopes, negations, actions.
 */
#ifndef BESPOKE_MCL_CHECK_H
#define BESPOKE_MCL_CHECK_H

#include "lang/mcl_expand.h"

/**
 * Check the tree and link every variable to its binder (node->binder, binder->used).
 *   - inside modalities, and, or, not, implies, equ have action operands only;
 *   - every regular expression compiles;
 *   - every variable is bound, under an even number of negations, and not under an equ that
 *     its binder is outside of; a binder that hides another of the same name is warned of.
 * 0, or ERR_INPUT with the place and a hint.
 */
int mcl_check(mcl_node *root, const mcl_text *t, const mcl_macros *known, err *e);

#endif
