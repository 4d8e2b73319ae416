/*
 * enc_bes_part.h - a Boolean equation system in parts: the vertices of several workers.
 *
 * Every process has read the whole system; a worker owns some of its vertices and knows the
 * others by their links.  The blocks are those of enc_bes.h, with its promises.
 */
#ifndef BESPOKE_ENC_BES_PART_H
#define BESPOKE_ENC_BES_PART_H

#include "core/graph_part.h"
#include "encodings/enc_bes.h"

/* All parts of a system; whoever has them may be asked by several threads. */
typedef struct enc_bes_parts enc_bes_parts;

typedef struct enc_bes_part_options {
    enc_bes_options question;
    worker_id workers; /* > 0 */
    const worker_id
        *owner; /* of every vertex of the system; NULL: by the hash of its number */
} enc_bes_part_options;

/**
 * The parts of all workers; `b` is borrowed and outlives them.  Four bytes per vertex, and four
 * more per number of a worker: of a block all have as many as the one with most vertices.
 * 0, or ERR_LIMIT: memory, or more links than 2^32 - 2.
 */
int enc_bes_part_open(enc_bes_parts **out, const bes *b, const enc_bes_part_options *o,
                      err *e);
void enc_bes_part_close(enc_bes_parts *x);

/* The part of a worker; borrowed. */
graph_part *enc_bes_part_of(enc_bes_parts *x, worker_id w);

/* The link of a vertex of the system, and back: VERTEX_NONE where a number of a worker is
   nobody's, or the vertex in no block that the root may depend on. */
vertex_link enc_bes_part_link(const enc_bes_parts *x, vertex_id v);
vertex_id enc_bes_part_vertex(const enc_bes_parts *x, vertex_link link);

/* The same as a wire form; `parts` is an enc_bes_parts. */
void enc_bes_part_wire(const void *parts, vertex_id v, uint32_t *wire);

#endif
