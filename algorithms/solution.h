/*
 * solution.h - what is known of the vertices of a graph: columns over their numbers.
 */
#ifndef BESPOKE_SOLUTION_H
#define BESPOKE_SOLUTION_H

#include "core/graph_column.h"

/* Bits of a vertex's status.  A solver may use the others while it works on a block. */
enum {
    SOLUTION_SEEN = 1,   /* visited */
    SOLUTION_STABLE = 2, /* its value is final */
    SOLUTION_TRUE = 4,   /* the value, when stable */
    SOLUTION_OWN = 8     /* first of the solver's own bits */
};

typedef struct solution {
    mem *m;
    const graph *g;       /* borrowed */
    uint8_t *status;      /* one per vertex */
    vertex_id *choice;    /* the successor that settled it, or VERTEX_NONE - 0 stands for
                            none, v + 1 for v; NULL when nobody asked for a diagnostic */
    uint64_t seen;        /* vertices visited */
    uint64_t edges;       /* successors looked at, forwards */
    uint64_t back;        /* dependencies followed, backwards */
    size_t block_columns; /* over the numbers of a block: the most that a solver has */
    graph_charge charge;  /* for those and our own */
} solution;

int solution_open(solution *s, mem *m, const graph *g, bool choices, err *e);
void solution_close(solution *s);

/** A solver keeps so many columns, of four bytes per vertex of its block. */
static inline void solution_note_block(solution *s, size_t columns)
{
    for (; s->block_columns < columns; s->block_columns++)
        graph_charge_add(&s->charge, sizeof(uint32_t));
}

/** Every visited vertex of the block that is not stable gets the value of its sign. */
void solution_settle_seen(solution *s, const graph_block *b);

static inline bool solution_is_stable(const solution *s, vertex_id v)
{
    return (s->status[v] & SOLUTION_STABLE) != 0;
}

static inline bool solution_value(const solution *s, vertex_id v)
{
    return (s->status[v] & SOLUTION_TRUE) != 0;
}

/* Visit: true when it is the first time. */
static inline bool solution_visit(solution *s, vertex_id v)
{
    if (s->status[v] & SOLUTION_SEEN) return false;
    s->status[v] |= SOLUTION_SEEN;
    s->seen++;
    return true;
}

static inline void solution_settle(solution *s, vertex_id v, bool value)
{
    s->status[v] |= (uint8_t)(SOLUTION_STABLE | (value ? SOLUTION_TRUE : 0));
}

/* Settle because of a successor, which is kept for diagnostics. */
static inline void solution_choose(solution *s, vertex_id v, bool value,
                                   vertex_id because)
{
    solution_settle(s, v, value);
    if (s->choice) s->choice[v] = because + 1;
}

#endif
