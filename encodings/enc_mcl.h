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
#include "core/state_space.h"
#include "lang/mcl_equations.h"

typedef struct enc_mcl enc_mcl;

/* Which state is at a place, for people: state_at(places, place).  NULL: it is called by its
   place. */
typedef struct enc_mcl_numbering {
    state_id (*state_at)(const void *places, state_id place);
    const void *places; /* borrowed */
} enc_mcl_numbering;

typedef struct enc_mcl_options {
    bool acyclic; /* the model is said to have no cycles: promised of every plain block */
    state_id capacity; /* of a model that is not explicit: at most so many states; 0: as
                          many as there may be numbers, and memory, for */
    progress *clock;   /* rows look at it; may be NULL */
} enc_mcl_options;

/**
 * The graph of the equations over the model; both are borrowed and outlive it.
 * Time and memory linear in the formula and, for its action formulas, in the labels; only when
 * an explicit model has thousands of millions of transitions are its states looked at once.
 * 0; ERR_LIMIT when there are more than 2^32 - 2 pairs of position and state.  States of other
 * models are met when rows are computed: what goes wrong then is the graph's trouble.
 */
int enc_mcl_open(enc_mcl **out, const mcl_equations *q, const model *s,
                 const enc_mcl_options *o, err *e);
void enc_mcl_close(enc_mcl *x);

const graph *enc_mcl_graph(const enc_mcl *x);

/* The state that a vertex speaks of, and the position, which is below enc_mcl_positions. */
state_id enc_mcl_state(const enc_mcl *x, vertex_id v);
uint32_t enc_mcl_position_of(const enc_mcl *x, vertex_id v);
uint32_t enc_mcl_positions(const enc_mcl *x);

/* The vertex of a position at a state that has been met. */
vertex_id enc_mcl_vertex(const enc_mcl *x, uint32_t position, state_id s);

/* The model's states, as this graph numbers them; borrowed. */
state_space *enc_mcl_space(const enc_mcl *x);

/* How many labels of the model an action formula of the equations allows. */
label_id enc_mcl_labels(const enc_mcl *x, uint32_t action);

/* A transition of the model. */
typedef struct enc_mcl_transition {
    state_id from;
    uint32_t place; /* among the transitions of `from` */
    label_id label;
    state_id to;
} enc_mcl_transition;

/** Told about one transition.  0, or a code that ends it. */
typedef int enc_mcl_use(void *self, const enc_mcl_transition *t, err *e);

/**
 * The transitions of its state that a vertex of a proof rests on: `value` is that of the proof,
 * `choice` the successor kept (VERTEX_NONE: all are).  On a model that has no transitions
 * but those of all vertices of a proof, the formula has the same value.
 * 0, the code of `use`, or the graph's trouble.
 */
int enc_mcl_support(const enc_mcl *x, vertex_id v, vertex_id choice, bool value,
                    enc_mcl_use *use, void *self, err *e);

#endif
