/*
 * enc_mcl.h - a formula and a model as a Boolean graph: does the initial state satisfy it?
 *
 * A vertex is a position of the formula at a state of the model.  Positions are the
 * variables of the equations and those parts of their right sides that cannot do without.
 * What the labels of a state's own transitions decide is evaluated on the spot, so absence
 * of deadlock costs one vertex per state.
 */
#ifndef BESPOKE_ENC_MCL_H
#define BESPOKE_ENC_MCL_H

#include "core/graph.h"
#include "core/lts.h"
#include "lang/mcl_equations.h"

typedef struct enc_mcl enc_mcl;

typedef struct enc_mcl_options {
    bool acyclic; /* the model is said to have no cycles: promised of every plain block */
} enc_mcl_options;

/**
 * The graph of the equations over the model; both are borrowed and outlive it.
 * Time and memory linear in the formula and, for its action formulas, in the labels; only when
 * there are thousands of millions of transitions are the states looked at once.  0; ERR_LIMIT when there are more than 2^32 - 2 pairs of position and state.
 */
int enc_mcl_open(enc_mcl **out, const mcl_equations *q, const lts *model,
                 const enc_mcl_options *o, err *e);
void enc_mcl_close(enc_mcl *x);

const graph *enc_mcl_graph(const enc_mcl *x);

/* The state that a vertex speaks of. */
state_id enc_mcl_state(const enc_mcl *x, vertex_id v);

/* How many labels of the model an action formula of the equations allows. */
label_id enc_mcl_labels(const enc_mcl *x, uint32_t action);

/** Told about one transition of the model, by its number.  0, or a code that ends it. */
typedef int enc_mcl_use(void *self, uint64_t transition, err *e);

/**
 * The transitions of its state that a vertex of a proof rests on: `value` is that of the proof,
 * `choice` the successor kept (VERTEX_NONE: all are).  On a model that has no transitions
 * but those of all vertices of a proof, the formula has the same value.
 */
int enc_mcl_support(const enc_mcl *x, vertex_id v, vertex_id choice, bool value,
                    enc_mcl_use *use, void *self, err *e);

#endif
