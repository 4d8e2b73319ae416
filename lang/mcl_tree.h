/*
 * mcl_tree.h - a formula as a tree.
 *
 * Three languages share the nodes: state formulas, regular formulas over actions inside the
 * modalities, and action formulas inside those.  Nodes live in the arena of their formula.
 * No tree is higher than MCL_HEIGHT_MAX, so whoever walks one may use recursion.
 */
#ifndef BESPOKE_MCL_TREE_H
#define BESPOKE_MCL_TREE_H

#include "core/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum { MCL_HEIGHT_MAX = 5000 };

/* id, how it is written, where it may stand (A action, R regular, F state), what it means */
#define MCL_KINDS(X)                                                         \
    X(STRING, "", "A", "the label `text`")                                   \
    X(REGEXP, "", "A", "labels that match `text` as a whole")                \
    X(TRUE, "true", "AF", "every label, every state")                        \
    X(FALSE, "false", "AF", "no label, no state")                            \
    X(NOT, "not", "AF", "not left")                                          \
    X(AND, "and", "AF", "left and right")                                    \
    X(OR, "or", "AF", "left or right")                                       \
    X(IMPLIES, "implies", "AF", "right whenever left")                       \
    X(EQU, "equ", "AF", "both or none")                                      \
    X(NIL, "nil", "R", "the empty sequence")                                 \
    X(SEQ, ".", "R", "left, then right")                                     \
    X(ALT, "|", "R", "left or right")                                        \
    X(STAR, "*", "R", "left any number of times")                            \
    X(PLUS, "+", "R", "left once or more often")                             \
    X(OPT, "?", "R", "left or nothing")                                      \
    X(DIAMOND, "<>", "F", "some sequence of left leads to right")            \
    X(BOX, "[]", "F", "all sequences of left lead to right")                 \
    X(LOOP, "<>@", "F", "left can be repeated for ever")                     \
    X(NO_LOOP, "[]-|", "F", "left cannot be repeated for ever")              \
    X(VARIABLE, "", "F", "the variable `text`")                              \
    X(MU, "mu", "F", "least fixed point of left, `text` being the variable") \
    X(NU, "nu", "F", "greatest fixed point of left, `text` being the variable")

#define MCL_ENUM(id, name, where, doc) MCL_##id,
typedef enum { MCL_KINDS(MCL_ENUM) MCL_KIND_COUNT } mcl_kind;
#undef MCL_ENUM

/* Bytes of the expanded text, from `begin` up to, not including, `end`. */
typedef struct mcl_span {
    uint32_t begin, end;
} mcl_span;

typedef struct mcl_node mcl_node;
struct mcl_node {
    mcl_kind kind;
    uint32_t height; /* 1 for a leaf */
    uint32_t number; /* dense from 0 over the tree */
    mcl_span at;
    const mcl_node *left,
        *right;       /* operands; a modality has left = regular, right = state */
    const char *text; /* ends in a NUL that `bytes` does not count */
    size_t bytes;
    /* Set by mcl_check: */
    const mcl_node *binder; /* of a variable: the mu or nu it belongs to */
    bool used;              /* of a mu or nu: does the variable occur? */
};

/* How the kind is written: "and", "*". */
const char *mcl_kind_name(mcl_kind kind);

static inline bool mcl_kind_is_boolean(mcl_kind k)
{
    return k == MCL_NOT || k == MCL_AND || k == MCL_OR || k == MCL_IMPLIES ||
           k == MCL_EQU;
}

/** A new node, or NULL with ERR_LIMIT.  `like` is copied; height is computed. */
mcl_node *mcl_tree_node(arena *a, mcl_node like, err *e);

/* Does an action formula, or a choice of action formulas, stand here? */
bool mcl_tree_is_action(const mcl_node *n);

/* Can the regular formula be the empty sequence? */
bool mcl_tree_is_nullable(const mcl_node *n);

/** Are two trees the same but for their places? */
bool mcl_tree_equal(const mcl_node *a, const mcl_node *b);

/** Write the tree with every parenthesis, in the syntax of the language, on one line. */
void mcl_tree_print(const mcl_node *n, FILE *to);

#endif
