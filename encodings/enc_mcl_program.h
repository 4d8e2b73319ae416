/*
 * enc_mcl_program.h - the equations of a formula, compiled against the labels of a model.
 * For the files of this encoding only.
 *
 * A position is evaluated at a state in two steps.  Its guards are tests of the labels of the
 * state's transitions, each of which may decide the value at once.  If none does, the value
 * is that of an or, or of an and, of successors: other positions at the same state (self) or
 * at the targets of those transitions whose label is in a set (step).
 *
 * A position at the same state that only has steps is looked at first (peek): where the state
 * has no such transition, its value is known and no vertex is needed.
 */
#ifndef BESPOKE_ENC_MCL_PROGRAM_H
#define BESPOKE_ENC_MCL_PROGRAM_H

#include "core/vec.h"
#include "encodings/enc_mcl.h"
#include "lang/mcl_action.h"
#include "lang/mcl_equations.h"

/* A set of labels; when it is all or none, nobody needs to look at them. */
typedef struct enc_mcl_set {
    const uint64_t *bits; /* of the action sets */
    bool all, none;
} enc_mcl_set;

typedef struct enc_mcl_guard {
    graph_op op;     /* decides when its test has the value that absorbs for this */
    bool general;    /* the test is the expression; else that some label is in the set, */
    bool wanted;     /*   or (false) that none is */
    enc_mcl_set set; /* of a test that is not general */
    uint32_t expr;   /* in any case */
} enc_mcl_guard;

typedef struct enc_mcl_item {
    bool step;         /* to the targets of transitions; else to the same state */
    bool peek;         /* of a self: that position has steps only */
    enc_mcl_set set;   /* of a step */
    uint32_t position; /* where to */
    vertex_id base;    /* the vertex of that position at state 0 */
} enc_mcl_item;

typedef struct enc_mcl_position {
    graph_op op;
    bool reads_labels; /* evaluating it looks at labels */
    bool plain;        /* where there are transitions, the row is all of their targets */
    bool expanded;     /* a row of it was asked for; */
    bool led_to;       /*   and of one that leads here, or it is the root */
    uint32_t guard;    /* first of its guards */
    uint32_t guards;   /* how many */
    uint32_t item;     /* first of its items */
    uint32_t items;    /* how many */
    uint32_t expr;     /* the expression it evaluates */
    uint32_t block;    /* of the equations, and of the graph */
    uint32_t variable; /* whose equation it is part of */
    uint32_t part;     /* 0 for the variable itself */
} enc_mcl_position;

typedef struct enc_mcl_program {
    mem *m;
    const mcl_equations *q;
    mcl_action_sets *actions; /* owned */
    enc_mcl_set *sets;        /* owned; one per action formula of q */
    uint32_t root;            /* the position of variable 0 */
    VEC(enc_mcl_guard) guards;
    VEC(enc_mcl_item) items;
    VEC(enc_mcl_position)
    positions;           /* by block; in it first the outer variables, then the
                                        others, then parts */
    graph_block *blocks; /* owned; q->block_count; ranges of positions */
    bool borrowed;       /* all but the positions is another program's */
} enc_mcl_program;

/** Compile.  0 or ERR_LIMIT; on failure still to be closed. */
int enc_mcl_program_open(enc_mcl_program *p, mem *m, const mcl_equations *q,
                         const label_table *labels, err *e);
void enc_mcl_program_close(enc_mcl_program *p);

/** The same program for another thread, which keeps its own account of positions; the original
    outlives it.  0 or ERR_LIMIT; on failure still to be closed. */
int enc_mcl_program_lend(enc_mcl_program *p, const enc_mcl_program *from, err *e);

/**
 * Promise what is known of the blocks (`acyclic`: of the model too), and give positions that
 * merely lead on the operator that keeps their block pure.  0 or ERR_LIMIT.
 */
int enc_mcl_program_promise(enc_mcl_program *p, bool acyclic, err *e);

static inline bool enc_mcl_has(const enc_mcl_set *s, const lts_row *r, uint32_t i)
{
    return s->all || mcl_action_has(s->bits, lts_row_label(r, i));
}

/* The encoding: vertex p * stride + s is position p at state s. */
struct enc_mcl {
    graph base; /* first: a graph of ours is this */
    mem *m;
    state_space *space; /* owned */
    const lts *rows; /* of an explicit model, read without asking the space; else NULL */
    enc_mcl_program program;
    uint32_t *used;  /* owned; of an implicit model, one word: positions led to by now */
    state_id stride; /* the model's states, or as many as there may be */
    state_id first;  /* of an explicit model: the place of its state 0, */
    enc_mcl_numbering number; /*   and what states at places are called */
    uint64_t inverse;         /* (2^64 - 1) / stride: to divide by multiplying */
};

/* The transitions of a state: valid until another state's are asked for. */
static inline lts_row enc_mcl_row(const enc_mcl *x, state_id s)
{
    return x->rows ? lts_row_of(x->rows, s) : state_space_row(x->space, s);
}

/* v / stride: (v + 1) * inverse falls short of 2^64 * (v + 1) / stride by at most v + 1. */
static inline const enc_mcl_position *enc_mcl_locate(const enc_mcl *x, vertex_id v,
                                                     state_id *s)
{
    uint32_t p = (uint32_t)(((unsigned __int128)(v + UINT64_C(1)) * x->inverse) >> 64);
    *s = v - p * x->stride;
    return &x->program.positions.at[p];
}

/** The value of a local expression at the state with these transitions. */
bool enc_mcl_local_value(const enc_mcl_program *p, uint32_t expr, const lts_row *r);

/* What is known of a position without its successors. */
typedef enum { ENC_MCL_FALSE, ENC_MCL_TRUE, ENC_MCL_OPEN } enc_mcl_known;

/** Of a position that has steps only, at such a state. */
enc_mcl_known enc_mcl_peek(const enc_mcl_program *p, const enc_mcl_position *x,
                           const lts_row *r);

/** The value of a guard's test at such a state. */
bool enc_mcl_guard_value(const enc_mcl_program *p, const enc_mcl_guard *t,
                         const lts_row *r);

#endif
