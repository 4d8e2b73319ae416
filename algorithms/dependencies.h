/*
 * dependencies.h - for each vertex of a block, who waits for its value.
 *
 * All dependencies stand in one log, in the order of entering; those of one vertex are a chain
 * through it, the last one first.  To enter one is to write behind the last and to look at
 * one word of the vertex: nothing else is fetched from memory, whatever their number.
 * An entry has seven bytes: four say who, three how far back the one before it is.
 */
#ifndef BESPOKE_DEPENDENCIES_H
#define BESPOKE_DEPENDENCIES_H

#include "core/graph.h"

#include <string.h>

enum { DEPENDENCIES_ENTRY = 7 };

typedef struct dependencies {
    mem *m;
    uint32_t vertices;
    uint32_t *head; /* per vertex: its last entry + 1; 0 = none left */
    uint8_t *log;   /* owned; `room` entries, and one byte more */
    uint32_t count; /* entries, links included */
    uint32_t room;  /* that fit */
} dependencies;

/** For a block of so many vertices.  0, ERR_LIMIT. */
int dependencies_open(dependencies *d, mem *m, uint32_t vertices, err *e);
void dependencies_close(dependencies *d);

/** Room for two more entries.  0 or ERR_LIMIT. */
int dependencies_grow(dependencies *d, err *e);

#define DEPENDENCIES_FAR \
    0xffffffu /* too far back: the entry before this one says where */

static inline void dependencies_write(dependencies *d, uint32_t who, uint32_t back)
{
    uint64_t entry = who | (uint64_t)back
                               << 32; /* its eighth byte is the next one's first */
    memcpy(d->log + (size_t)d->count++ * DEPENDENCIES_ENTRY, &entry, sizeof entry);
}

static inline uint64_t dependencies_read(const dependencies *d, uint32_t number)
{
    uint64_t entry;
    memcpy(&entry, d->log + (size_t)number * DEPENDENCIES_ENTRY, sizeof entry);
    return entry;
}

/** `who` waits for `vertex`; both counted from the block's first.  0 or ERR_LIMIT. */
static inline int dependencies_add(dependencies *d, uint32_t vertex, uint32_t who, err *e)
{
    if (d->room - d->count < 2 && dependencies_grow(d, e) != 0) return (int)e->code;
    uint32_t last = d->head[vertex], back = last ? d->count - (last - 1) : 0;
    if (__builtin_expect(back >= DEPENDENCIES_FAR - 1, 0)) {
        dependencies_write(d, last, 0);
        back = DEPENDENCIES_FAR;
    }
    dependencies_write(d, who, back);
    d->head[vertex] = d->count;
    return 0;
}

/** Soon one will be entered for the vertex. */
static inline void dependencies_fetch(const dependencies *d, uint32_t vertex)
{
    __builtin_prefetch(&d->head[vertex], 1);
}

/**
 * Take the dependants of a vertex out, one per call, the last one first; false when there are
 * none left.
 */
static inline bool dependencies_take(dependencies *d, uint32_t vertex, uint32_t *who)
{
    uint32_t last = d->head[vertex];
    if (last == 0) return false;
    uint64_t entry = dependencies_read(d, last - 1);
    uint32_t back = (uint32_t)(entry >> 32) & DEPENDENCIES_FAR;
    *who = (uint32_t)entry;
    if (back == DEPENDENCIES_FAR)
        d->head[vertex] = (uint32_t)dependencies_read(d, last - 2);
    else d->head[vertex] = back ? last - back : 0;
    return true;
}

#endif
