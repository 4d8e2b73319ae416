/*
 * dependencies.h - for each vertex of a block, who waits for its value.
 *
 * All dependencies stand in one log of words, in the order of entering; those of one vertex
 * are a chain through it, the last one first.  To enter one is to write behind the last and
 * to look at one word of the vertex: nothing else is fetched from memory.
 *
 * A word is a link, the place of the one before it in its chain, or a name: who waits, of all
 * links from here to the next name.  A vertex that enters its whole row is named once, and
 * again every few links, so that the name is found beside them.
 */
#ifndef BESPOKE_DEPENDENCIES_H
#define BESPOKE_DEPENDENCIES_H

#include "core/graph_column.h"

enum { DEPENDENCIES_RUN = 16 }; /* links behind a name at most */

#define DEPENDENCIES_NAME 0x80000000u /* this word is a name */
#define DEPENDENCIES_MAX  (DEPENDENCIES_NAME - 1)

typedef struct dependencies {
    mem *m;
    const graph *g; /* borrowed */
    uint32_t vertices;
    uint32_t *head; /* per vertex: the place of its last link; 0 = none left */
    uint32_t *log;  /* owned; room words, of which number 0 is not used */
    uint32_t count; /* words written */
    uint32_t room;
    uint32_t named; /* who was named last, with the mark of a name */
    uint32_t run;   /* links since then */
} dependencies;

/** For a block of so many vertices of the graph.  0, ERR_LIMIT. */
int dependencies_open(dependencies *d, mem *m, const graph *g, uint32_t vertices, err *e);
void dependencies_close(dependencies *d);

/** Room for so many words more.  0 or ERR_LIMIT. */
int dependencies_grow(dependencies *d, uint32_t words, err *e);

/** `who` waits for these vertices.  He is counted from the block's first vertex, `begin`.
    0 or ERR_LIMIT. */
static inline int dependencies_add(dependencies *d, const vertex_id *vertex,
                                   uint32_t count, vertex_id begin, uint32_t who, err *e)
{
    uint32_t words = 2 * count; /* more than names and links */
    if (d->room - d->count < words && dependencies_grow(d, words, e) != 0)
        return (int)e->code;
    uint32_t *log = d->log, *head = d->head, name = who | DEPENDENCIES_NAME;
    uint32_t place = d->count, links = d->named == name ? d->run : DEPENDENCIES_RUN;
    for (uint32_t i = 0; i < count; i++) {
        if (links == DEPENDENCIES_RUN) log[place++] = name, links = 0;
        log[place] = head[vertex[i] - begin];
        head[vertex[i] - begin] = place++;
        links++;
    }
    if (count > 0) d->named = name, d->run = links, d->count = place;
    return 0;
}

/** Soon one will be entered for the vertex. */
static inline void dependencies_fetch(const dependencies *d, uint32_t vertex)
{
    __builtin_prefetch(&d->head[vertex], 1);
}

/** The last dependant of a vertex, still there; false when there are none left. */
static inline bool dependencies_look(const dependencies *d, uint32_t vertex,
                                     uint32_t *who)
{
    uint32_t place = d->head[vertex];
    if (place == 0) return false;
    while (!(d->log[place] & DEPENDENCIES_NAME)) place--;
    *who = d->log[place] & ~DEPENDENCIES_NAME;
    return true;
}

/** He is told. */
static inline void dependencies_drop(dependencies *d, uint32_t vertex)
{
    d->head[vertex] = d->log[d->head[vertex]];
}

/** Take the dependants of a vertex out, one per call. */
static inline bool dependencies_take(dependencies *d, uint32_t vertex, uint32_t *who)
{
    if (!dependencies_look(d, vertex, who)) return false;
    dependencies_drop(d, vertex);
    return true;
}

#endif
