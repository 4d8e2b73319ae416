/*
 * degree_urn.h - how many transitions the states of one level have.
 *
 * The urn holds a number for each state; drawing them all gives the wanted sum exactly, in
 * random order.  One urn serves all levels, one after the other.
 */
#ifndef BESPOKE_DEGREE_URN_H
#define BESPOKE_DEGREE_URN_H

#include "core/mem.h"
#include "core/random.h"

#include <stdbool.h>

typedef struct degree_urn {
    mem *m;           /* borrowed */
    uint64_t *weight; /* owned; room entries, scratch of the filling */
    uint32_t *count; /* owned; room entries: states left that get least + i transitions */
    uint32_t room, least, span; /* branching is least .. least + span */
    uint64_t left;              /* states not drawn */
} degree_urn;

/* What to fill it with. */
typedef struct degree_mix {
    uint64_t states, edges;
    uint32_t least, top;       /* least * states <= edges <= top * states */
    bool with_top, with_least; /* at least one state of each, which must be possible */
} degree_mix;

/** Make room for branching up to `most`.  0 or ERR_LIMIT. */
int degree_urn_open(degree_urn *u, mem *m, uint32_t most, err *e);
void degree_urn_close(degree_urn *u);

void degree_urn_fill(degree_urn *u, const degree_mix *mix, random_stream *chance);

/* Take one; there must be one left. */
static inline uint32_t degree_urn_draw(degree_urn *u, random_stream *chance)
{
    uint64_t x = random_below(chance, u->left--);
    uint32_t i = 0;
    while (x >= u->count[i]) x -= u->count[i++];
    u->count[i]--;
    return u->least + i;
}

/* How many states are left that get `degree` transitions. */
static inline uint32_t degree_urn_left(const degree_urn *u, uint32_t degree)
{
    uint32_t i = degree - u->least;
    return degree >= u->least && i <= u->span ? u->count[i] : 0;
}

#endif
