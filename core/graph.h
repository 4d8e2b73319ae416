/*
 * graph.h - a Boolean graph that is computed when it is asked for.
 *
 * A vertex is a Boolean variable, its operator says how it follows from its successors: an
 * or-vertex without successors is false, an and-vertex without successors true.  Vertices
 * lie in blocks; each block has a sign (least or greatest fixed point), and an edge leads
 * into the same block or a later one, never back.  This is all a solver knows of a problem.
 *
 * A block may be nested: an outer fixed point with one of the other sign inside.  A greatest
 * one outside (buchi) makes a path good that meets outer vertices for ever; a least one
 * outside (cobuchi) makes such a path bad.
 *
 * Vertices have dense numbers: those of block b are blocks[b].begin .. blocks[b].end - 1,
 * blocks in order.  A number need not be reachable; columns over numbers cost nothing where
 * nobody goes.  In a graph whose extent is not known (`met`) numbers lie in stretches, each
 * used from its beginning on; columns over them are those of graph_column.h.
 *
 * Computing a row may fail: then `trouble` says why, all rows are empty from then on, and who
 * comes to an end passes it on (graph_trouble) instead of a result.
 *
 * To solve a graph, read this far and the inline functions; to write an encoding, fill a
 * graph_class.
 */
#ifndef BESPOKE_GRAPH_H
#define BESPOKE_GRAPH_H

#include "core/err.h"
#include "core/mem.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t vertex_id;

#define VERTEX_NONE  UINT32_MAX
#define VERTICES_MAX (UINT32_MAX - 1)

typedef enum { GRAPH_OR, GRAPH_AND } graph_op;
typedef enum { GRAPH_MU, GRAPH_NU } graph_sign;

/* What an encoding promises of a block's shape: flag, name, what it means.  A block that is
   pure is said to be disjunctive or conjunctive, not both: that tells which is the other. */
#define GRAPH_PROMISES(X)                                                             \
    X(ACYCLIC, 1, "acyclic", "no path within the block comes back")                   \
    X(DISJUNCTIVE, 2, "disjunctive", "and-vertices have at most one successor in it") \
    X(CONJUNCTIVE, 4, "conjunctive", "or-vertices have at most one successor in it")  \
    X(PURE, 8, "pure", "vertices of the other operator have no successors at all")    \
    X(SINGLE_ENTRY, 16, "single-entry", "asked for one vertex only")
#define GRAPH_ENUM(id, bit, name, doc) GRAPH_##id = (bit),
typedef enum { GRAPH_GENERAL = 0, GRAPH_PROMISES(GRAPH_ENUM) } graph_promise;
#undef GRAPH_ENUM

typedef struct graph_block {
    graph_sign sign;      /* of a nested block: the outer one */
    unsigned promise;     /* of graph_promise */
    vertex_id begin, end; /* its vertices */
    vertex_id outer_end;  /* if nested: begin .. outer_end-1 are the outer ones; else 0 */
} graph_block;

static inline bool graph_is_nested(const graph_block *b) { return b->outer_end != 0; }

/* Of a vertex of the block: does it belong to the fixed point `sign`? */
static inline bool graph_is_outer(const graph_block *b, vertex_id v)
{
    return b->outer_end == 0 || v < b->outer_end;
}

/* "mu", "nu", "buchi", "cobuchi" */
const char *graph_kind_name(const graph_block *b);

/* Where in a row of successors to go on; only GRAPH_ROW_BEGIN and _END mean something. */
typedef uint32_t graph_place;
#define GRAPH_ROW_BEGIN 0
#define GRAPH_ROW_END   UINT32_MAX

/* Some successors of a vertex. */
typedef struct graph_row {
    graph_op op;
    uint32_t count;   /* successors in the buffer; may be 0 before the end */
    graph_place next; /* where the rest begins, or GRAPH_ROW_END */
} graph_row;

typedef struct graph graph;

typedef struct graph_class {
    const char *name;
    /* At most `room` (> 0) successors of `v`, from `place` on, and the operator.  The same
       sequence every time, and going on costs no more than what is delivered, so that a
       depth-first search needs nine bytes per vertex on its path, not its whole row. */
    void (*expand)(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out);
    /* May be NULL.  Fetch what expanding `v` will read: stage 0 first, 1 some time later. */
    void (*fetch)(const graph *g, vertex_id v, int stage);
    /* A name for people: at most `bytes` with the NUL. */
    void (*name_of)(const graph *g, vertex_id v, char *into, size_t bytes);
    /* May be NULL.  The same for a block, "B3". */
    void (*name_block)(const graph *g, uint32_t block, char *into, size_t bytes);
} graph_class;

struct graph {
    const graph_class *class;
    vertex_id root;            /* the vertex of interest, in block 0 */
    vertex_id vertices;        /* upper bound of numbers */
    uint32_t block_count;      /* > 0 */
    const graph_block *blocks; /* borrowed from the encoding */
    const uint32_t *met;       /* of every stretch, how many numbers are in use by now;
                                  NULL: all numbers are, and there are no stretches */
    const uint32_t *used;      /* how many stretches a row has led to; NULL: maybe all */
    vertex_id stride;          /* numbers of a stretch; blocks consist of whole ones */
    const err *trouble;        /* NULL: rows cannot fail */
};

static inline void graph_expand(const graph *g, vertex_id v, graph_place place,
                                vertex_id *buffer, uint32_t room, graph_row *out)
{
    g->class->expand(g, v, place, buffer, room, out);
}

static inline void graph_fetch(const graph *g, vertex_id v, int stage)
{
    if (g->class->fetch) g->class->fetch(g, v, stage);
}

/** Did a row fail?  To be asked before anything is concluded from rows.  Returns e->code. */
static inline int graph_trouble(const graph *g, err *e)
{
    if (e->code == ERR_NONE && g->trouble && g->trouble->code != ERR_NONE)
        *e = *g->trouble;
    return (int)e->code;
}

/* What the rows of a block have in common, per operator. */
typedef struct graph_shape {
    bool many[2];  /* a vertex has two successors in the block */
    bool leads[2]; /* a vertex has a successor at all */
} graph_shape;

/** The promises that follow, of disjunctive, conjunctive and pure. */
unsigned graph_shape_promise(const graph_shape *s, graph_sign sign);

/** The block of a vertex. */
uint32_t graph_block_of(const graph *g, vertex_id v);

/** A name of a block for people: the encoding's, or its number. */
void graph_name_block(const graph *g, uint32_t block, char *into, size_t bytes);

/* The value that settles a vertex at once: true for or, false for and. */
static inline bool graph_absorbing(graph_op op) { return op == GRAPH_OR; }

#endif
