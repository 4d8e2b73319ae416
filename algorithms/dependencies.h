/*
 * dependencies.h - for each vertex of a block, who waits for its value.
 *
 * Most vertices have few dependants and some have many.  One is kept in the vertex's own
 * word; more go into packets of three with a link, sixteen bytes each, which are taken
 * from one array and used again when a vertex is settled.
 */
#ifndef BESPOKE_DEPENDENCIES_H
#define BESPOKE_DEPENDENCIES_H

#include "core/graph.h"
#include "core/vec.h"

enum { DEPENDENCIES_PACKET = 3 };

typedef struct dependency_packet {
    uint32_t who[DEPENDENCIES_PACKET]; /* vertex of the block + 1, 0 = free */
    uint32_t next;                     /* packet, 0 = none */
} dependency_packet;

typedef struct dependencies {
    mem *m;
    uint32_t vertices;
    uint32_t *head;                /* per vertex: 0 none, one dependant, or a packet */
    VEC(dependency_packet) packet; /* number 0 is not used */
    uint32_t free;                 /* first of the free packets, 0 = none */
    uint64_t stored;               /* dependencies entered so far */
} dependencies;

#define DEPENDENCIES_MAX ((1u << 31) - 2) /* vertices of a block */

/** For a block of so many vertices.  0, ERR_LIMIT. */
int dependencies_open(dependencies *d, mem *m, uint32_t vertices, err *e);
void dependencies_close(dependencies *d);

/** `who` waits for `vertex`; both counted from the block's first.  0 or ERR_LIMIT. */
int dependencies_add(dependencies *d, uint32_t vertex, uint32_t who, err *e);

/**
 * Take the dependants of a vertex out, one per call; false when there are none left.
 * The order is not that of entering.
 */
bool dependencies_take(dependencies *d, uint32_t vertex, uint32_t *who);

#endif
