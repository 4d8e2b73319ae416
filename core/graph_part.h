/*
 * graph_part.h - a Boolean graph that several workers solve: each has the rows of its own vertices.
 *
 * All workers have the same blocks, with the same ranges of numbers 0 .. share-1.  These local
 * numbers are those of a `graph` whose rows, blocks and columns are used as ever, with one
 * difference: the successors in a row are links.  A link in origin .. origin+share-1 is local number
 * link - origin; any other one is a vertex elsewhere.  Threads of a rank may have one range of
 * numbers, and one set of columns, together; then each owns some of them and touches no others.
 *
 * What travels in a message is the wire form of a link, `wire_words` words.  In a numbered part it is
 * the link, which means the same everywhere.  In a keyed one, whose vertices get numbers
 * where they are met, it is what the owner needs to know to meet it.
 */
#ifndef BESPOKE_GRAPH_PART_H
#define BESPOKE_GRAPH_PART_H

#include "core/graph.h"
#include "core/ids.h"

typedef uint32_t vertex_link;

enum { GRAPH_PART_WIRE_MAX = 1 + 256 }; /* words */

typedef struct graph_part graph_part;

typedef struct graph_part_class {
    const char *name;
    /* NULL in a numbered part: the wire form is the link, the link of an own vertex is
       origin + its number. */
    /* The owner of a vertex elsewhere, by its link in the row that was expanded last, and its wire
       form.  Another row that is expanded ends that; rows that are fetched and vertices that are
       unpacked do not.  A row that is expanded again has the same links. */
    worker_id (*owner)(const graph_part *p, vertex_link to);
    void (*pack)(const graph_part *p, vertex_link to, uint32_t *wire);
    /* The local numbers of `count` vertices whose wire forms came from elsewhere, `stride`
       bytes apart and aligned anyhow; they are met.  Many at a time wait less.  0; ERR_LIMIT;
       ERR_SYSTEM: damage, and some may have been met. */
    int (*unpack)(graph_part *p, const void *wire, size_t stride, uint32_t count,
                  vertex_id *out, err *e);
    /* NULL too: the wire form of an own vertex. */
    void (*wire)(const graph_part *p, vertex_id local, uint32_t *wire);
} graph_part_class;

struct graph_part {
    const graph_part_class *class;
    const graph
        *g; /* by local numbers; its root is the local number on the root's owner */
    worker_id self, workers, root_owner;
    vertex_link origin; /* of local number 0 */
    vertex_id share;    /* local numbers; the same for all */
    uint32_t wire_words;
    /* Of a numbered part: number n of rank r (a range of numbers is a rank here) has the link
       r * share + n and belongs to thread (n % stride / unit) % threads of it. */
    uint32_t ranks, threads; /* workers = ranks * threads */
    uint32_t stride;         /* numbers of a position; one position: share */
    uint32_t unit;           /* neighbouring numbers that stay together */
    uint64_t share_inverse, stride_inverse, unit_inverse, threads_inverse;
};

/* (2^64 - 1) / d, d > 0: to divide by multiplying. */
static inline uint64_t graph_part_inverse(uint32_t d) { return UINT64_MAX / d; }

static inline uint32_t graph_part_divide(uint32_t n, uint64_t inverse)
{
    return (uint32_t)(((unsigned __int128)(n + UINT64_C(1)) * inverse) >> 64);
}

/* Fill in the inverses, once the rest is there. */
static inline void graph_part_measure(graph_part *p)
{
    p->share_inverse = graph_part_inverse(p->share);
    p->stride_inverse = graph_part_inverse(p->stride);
    p->unit_inverse = graph_part_inverse(p->unit);
    p->threads_inverse = graph_part_inverse(p->threads);
}

static inline bool graph_part_is_numbered(const graph_part *p)
{
    return p->class->unpack == NULL;
}

/* The thread of its rank that owns a local number. */
static inline uint32_t graph_part_thread(const graph_part *p, vertex_id local)
{
    uint32_t s = local - graph_part_divide(local, p->stride_inverse) * p->stride;
    uint32_t u = graph_part_divide(s, p->unit_inverse);
    return u - graph_part_divide(u, p->threads_inverse) * p->threads;
}

static inline worker_id graph_part_owner(const graph_part *p, vertex_link to)
{
    if (!graph_part_is_numbered(p))
        return to - p->origin < p->share ? p->self : p->class->owner(p, to);
    uint32_t rank = p->ranks == 1 ? 0 : graph_part_divide(to, p->share_inverse);
    if (p->threads == 1) return rank;
    return rank * p->threads + graph_part_thread(p, to - rank * p->share);
}

/* In a numbered part every vertex has a link; in a keyed one own vertices have, and others as
   long as the row is there that leads to them. */
static inline vertex_link graph_part_link(const graph_part *p, vertex_id local)
{
    return p->origin + local;
}

#endif
