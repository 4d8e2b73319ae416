/*
 * enc_mcl_part.h - a formula and a model as a Boolean graph in parts (core/graph_part.h).
 *
 * Numbered, of an explicit model: every rank has the rows of a range of states, the same number
 * everywhere, whose targets are places: state n of rank r is place r * range + n.  The
 * threads of a rank share its rows and its numbers.  With one rank this is any LTS.
 *
 * Keyed, of another model: every worker meets states of its own, which the hash of their keys
 * gives it, and has numbers of its own.
 */
#ifndef BESPOKE_ENC_MCL_PART_H
#define BESPOKE_ENC_MCL_PART_H

#include "core/distribution.h"
#include "core/graph_part.h"
#include "encodings/enc_mcl.h"

/* The parts of all threads of one rank. */
typedef struct enc_mcl_parts enc_mcl_parts;

typedef struct enc_mcl_part_options {
    bool acyclic;             /* as in enc_mcl_options */
    progress *clock;          /*   for thread 0 of the rank */
    worker_id ranks, threads; /* of each rank; both > 0 */
    worker_id rank;           /* worker rank * threads + t is thread t of it */
    /* Numbered: the rows of this rank, lent, with the labels of all ranks.  While parts are
       open, and there are several ranks, their targets are links (of position 0). */
    lts *rows;                /* NULL: keyed */
    state_id initial;         /* the place of the initial state */
    enc_mcl_numbering number; /* what the state at a place is called */
    state_id unit;            /* neighbouring states that have the same thread; > 0 */
    /* Keyed: */
    const model *model; /* lent */
    state_id capacity;  /* most states of a worker: the same on all, see below */
} enc_mcl_part_options;

/**
 * The parts of a rank; the equations are borrowed too.  All ranks ask the same question of the
 * same model.  A part is of its worker's thread alone.  Numbered, with several ranks: one pass
 * over the rows, and one when it is closed.
 * 0; ERR_LIMIT: memory, or more than 2^32 - 2 pairs of position and place.
 */
int enc_mcl_part_open(enc_mcl_parts **out, const mcl_equations *q,
                      const enc_mcl_part_options *o, err *e);
void enc_mcl_part_close(enc_mcl_parts *x);

/* The part of a thread, and its encoding; borrowed.  Of the encoding's rows the same holds as of
   the graph's: targets are links. */
graph_part *enc_mcl_part_of(enc_mcl_parts *x, worker_id thread);
const enc_mcl *enc_mcl_part_encoding(const enc_mcl_parts *x, worker_id thread);

/**
 * The capacity of a keyed part in a process with so many workers, for the limit of its account
 * and its address space; at most `wanted`, if that is not 0.  What all ranks can do with is the least
 * of theirs.  0 or ERR_LIMIT.
 */
int enc_mcl_part_capacity(state_id *out, const mcl_equations *q, const model *s,
                          worker_id threads, state_id wanted, err *e);

/* Vertices of the whole graph, by the wire forms that they have in its parts. */
typedef struct enc_mcl_part_names {
    const graph_part *part; /* any */
    const enc_mcl *whole;   /* the same question of the same model, whole or in part */
    const distribution *places; /* of its states; NULL: states are places, or have keys */
} enc_mcl_part_names;

/** A vertex of `whole`, whose state has been met; `names` is an enc_mcl_part_names. */
void enc_mcl_part_wire(const void *names, vertex_id v, uint32_t *wire);

#endif
