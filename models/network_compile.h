/*
 * network_compile.h - a network's tree as synchronisation vectors.
 *
 * A vector says: if each of these components can do that label of its own, they may do so
 * together, and what others see is the vector's label.  Every subtree is a set of
 * vectors; an operator makes one set of those of its parts and never looks at states.
 *
 * Only priorities depend on what else is possible in a state.  A vector that has been
 * below something at a prio keeps a guard: the vectors that were above it there.  It is
 * allowed while none of these is, in the same sense.
 *
 * Read this to write an operator; network.c uses network_compile alone.
 */
#ifndef BESPOKE_NETWORK_COMPILE_H
#define BESPOKE_NETWORK_COMPILE_H

#include "lang/exp.h"
#include "lang/load_options.h"
#include "models/network_rows.h"

typedef struct network_part {
    uint32_t component, label; /* a local label */
} network_part;

typedef struct network_vector {
    label_id label;
    uint32_t first, parts;  /* in network_compiler.part, ascending by component */
    uint32_t guard, guards; /* in network_compiler.guard */
} network_vector;

typedef VEC(network_vector) network_set;

/* Neighbours in an array.  A guard, which holds vectors back, is a span of `above`, whose
   items are spans of `blocker`: the vectors of which none may be allowed. */
typedef struct network_span {
    uint32_t first, count;
} network_span;

/* A file of components. */
typedef struct network_file {
    char *path; /* owned */
    network_rows rows;
} network_file;

/* A label in two: its gate, and the offers behind. */
typedef struct network_split {
    uint32_t gate, offers; /* words */
} network_split;

typedef struct network_compiler {
    mem *m;
    const exp_net *net;
    const load_options *options;
    label_table *labels;      /* of components and results; the hidden one is there */
    label_table *words;       /* gates and offers */
    VEC(network_split) split; /* of the first labels; see network_split_of */
    uint32_t termination;     /* a word, or LABEL_NONE */
    VEC(network_file) file;
    VEC(uint32_t) component; /* its file; in the order of the text */
    VEC(network_part) part;
    VEC(uint32_t) guard; /* numbers of guards, of all vectors */
    VEC(network_span) guards;
    VEC(network_span) above;
    network_set blocker;
    network_set root; /* the result */
    VEC(size_t) pick; /* scratch of network_product */
    VEC(char) text;   /* scratch of texts */
    bool *met;        /* per name of --hidden: some component has it */
} network_compiler;

/**
 * Load the components of `net` and make its root's vectors.  `c` is zero but for m, net
 * and options; close it in any case.  0; ERR_INPUT with the place; ERR_LIMIT.
 */
int network_compile(network_compiler *c, err *e);
void network_compile_close(network_compiler *c);

/* ---- for operators ----------------------------------------------------------------------- */

/* A vector that meets others: what it is sorted by, beside it. */
typedef struct network_entry {
    network_vector v;
    uint32_t operand, word, rest;
    uint32_t order; /* ties */
} network_entry;

typedef VEC(network_entry) network_entries;

/* Entries that are alternatives of one participant. */
typedef struct network_range {
    const network_entry *at;
    size_t count;
} network_range;

label_id network_hidden(const network_compiler *c);

/** Gate and offers of a label.  0 or ERR_LIMIT. */
int network_split_of(network_compiler *c, label_id l, network_split *out, err *e);

/** The label `gate` + the offers of a label, hidden when the gate is.  0 or a code. */
int network_join_label(network_compiler *c, const exp_text *gate, uint32_t offers,
                       label_id *out, err *e);

/** Will so many more vectors of so many parts do?  Asked before they are made.  0 or
    ERR_LIMIT, said at `at`. */
int network_expect(const network_compiler *c, const network_set *s, double vectors,
                   double parts, exp_place at, err *e);

/** One vector more. */
int network_set_push(network_compiler *c, network_set *s, const network_vector *v,
                     exp_place at, err *e);

/** Every choice of one entry per participant, together, with this label. */
int network_product(network_compiler *c, network_set *out, const network_range *r,
                    size_t count, label_id label, exp_place at, err *e);

/** The component in a file as vectors (network_component.c). */
int network_component(network_compiler *c, const exp_node *n, network_set *out, err *e);
void network_component_close(network_compiler *c);

/* Operators: `s` are the sets of the parts, which they may empty. */
int network_par(network_compiler *c, const exp_node *n, network_set *s, network_set *out,
                err *e);
int network_sync(network_compiler *c, const exp_node *n, network_set *s, network_set *out,
                 err *e);
int network_prio(network_compiler *c, const exp_node *n, network_set *s, err *e);

/** Warn of patterns of hide, cut, rename or prio that match nothing of the operand. */
int network_unused(network_compiler *c, const exp_node *n, const network_set *s, err *e);

#endif
