/*
 * naive_net.h - a network of LTSs, answered straight from the definitions: a state is a
 * tuple, an operator asks its operands for their moves and tries all combinations.  What
 * the compiler of networks is compared with; nothing is shared with it.  Aborts when
 * memory fails.
 */
#ifndef BESPOKE_NAIVE_NET_H
#define BESPOKE_NAIVE_NET_H

#include "lang/exp.h"
#include "tests/naive_lts.h"

enum { NAIVE_PARTS_MAX = 6 };

typedef struct naive_tuple {
    uint32_t at[NAIVE_PARTS_MAX];
} naive_tuple;

typedef struct naive_move {
    char *label; /* owned; "i" when hidden */
    naive_tuple to;
} naive_move;

typedef struct naive_moves {
    naive_move *at; /* owned */
    size_t count, room;
} naive_moves;

/* What is above what at a prio. */
typedef struct naive_prio {
    const exp_node *node;
    char **label; /* owned: what can occur at the operand, "i" among them */
    size_t count;
    bool *above; /* [x * count + y]: y is above x */
} naive_prio;

typedef struct naive_net {
    const exp_net *net; /* borrowed */
    naive_lts part[NAIVE_PARTS_MAX];
    size_t parts;
    naive_prio *order; /* owned */
    size_t orders;
    bool cyclic; /* rules of some prio contradict each other */
} naive_net;

/* Read the components (.aut) and order the labels of every prio. */
naive_net naive_net_open(const exp_net *net);
void naive_net_close(naive_net *n);

naive_tuple naive_net_initial(const naive_net *n);

/* The moves of a state, sorted, each once; to be released. */
naive_moves naive_net_moves(const naive_net *n, naive_tuple from);
void naive_moves_release(naive_moves *m);

/* Those of a subtree, whose components begin with number `first`, if prio removed
   nothing. */
naive_moves naive_net_possible(const naive_net *n, const exp_node *x, size_t first,
                               naive_tuple from);

/* Append, sort and make unique: for the moves of others, too. */
void naive_moves_add(naive_moves *m, const char *label, size_t bytes, naive_tuple to);
void naive_moves_sort(naive_moves *m);

#endif
