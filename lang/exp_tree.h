/*
 * exp_tree.h - nodes of a network: making, printing.
 */
#ifndef BESPOKE_EXP_TREE_H
#define BESPOKE_EXP_TREE_H

#include "lang/exp.h"

#include <stdio.h>

/* "hide", "par using". */
const char *exp_kind_name(exp_kind kind);

/** A copy of `like` with its height, or NULL: ERR_LIMIT, or ERR_INPUT when it is too high. */
exp_node *exp_tree_node(arena *a, const exp_node *like, err *e);

/** Write a behaviour on one line, with every parenthesis and every mode, so that reading it in
    the same language gives the same tree. */
void exp_tree_print(const exp_node *n, FILE *to);

/** The same for a whole network, with its language and rules of communication. */
void exp_tree_print_net(const exp_net *n, FILE *to);

#endif
