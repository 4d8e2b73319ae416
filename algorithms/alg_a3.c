/*
 * a3 - depth-first resolution of a block without cycles.
 *
 * Idea       Without cycles a vertex is stable when the search leaves it, so its value goes
 *            to the vertex below it on the trail and to nobody else.
 * Invariant  Visited vertices are stable or on the trail.
 * Cost       Each edge once (R1); only open vertices lead to what is visited (R2); what was
 *            visited is stable (R3).  No dependencies: one byte per vertex, four for a
 *            choice, nine for the trail.  A promise that was wrong shows as a successor on
 *            the trail: then the block is solved by another algorithm.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 6, reading v(y) where it says val.
 */
#include "algorithms/solvers.h"
#include "algorithms/trail.h"

typedef struct a3 {
    run r;
    graph_block block;
    trail path;
} a3;

static const char *a3_refuses(const graph_block *b)
{
    return b->promise & GRAPH_ACYCLIC ? NULL : "blocks that may have cycles";
}

static int a3_open(void **self, const run *r, uint32_t block, err *e)
{
    a3 *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->r = *r;
    s->block = r->blocks[block];
    trail_open(&s->path, r->m, r->g, (trail_columns){ .status = r->found->status });
    *self = s;
    return 0;
}

static void a3_close(void *self)
{
    a3 *s = self;
    trail_close(&s->path);
    mem_put(s->r.m, s, sizeof *s);
}

static int a3_ask(void *self, vertex_id v, err *e)
{
    a3 *s = self;
    trail_clear(&s->path);
    solution_visit(s->r.found, v);
    return trail_push(&s->path, v, e);
}

/* Successor z of the top has a value: it settles the top or is passed over. */
static void use(a3 *s, vertex_id y, vertex_id z)
{
    bool value = solution_value(s->r.found, z);
    s->r.found->edges++;
    trail_advance(&s->path);
    if (value != graph_absorbing(trail_load(&s->path))) return;
    solution_choose(s->r.found, y, value, z);
    trail_pop(&s->path);
}

/* The promise was wrong: forget the vertices that are open, another solver finds them new. */
static algorithm_step give_up(a3 *s)
{
    for (size_t i = 0; i < s->path.vertex.count; i++) {
        s->r.found->status[s->path.vertex.at[i]] = 0;
        s->r.found->seen--;
    }
    return ALGORITHM_CYCLE;
}

static algorithm_step a3_go_on(void *self, vertex_id *need, err *e)
{
    a3 *s = self;
    for (uint64_t step = 0; !trail_is_empty(&s->path); step++) {
        vertex_id y = trail_top(&s->path), z;
        if (run_tick(&s->r, step, e) != 0) return ALGORITHM_FAILED;
        if (!trail_look(&s->path, &z)) {
            solution_settle(s->r.found, y, !graph_absorbing(trail_load(&s->path)));
            trail_pop(&s->path);
        } else if (solution_is_stable(s->r.found, z)) {
            use(s, y, z);
        } else if (z >= s->block.end) {
            *need = z;
            return ALGORITHM_NEED;
        } else if (!solution_visit(s->r.found, z)) {
            return give_up(s);
        } else if (trail_push(&s->path, z, e) != 0) {
            return ALGORITHM_FAILED;
        }
    }
    return ALGORITHM_DONE;
}

const algorithm alg_a3 = {
    .name = "a3",
    .doc = "depth-first, blocks without cycles, little memory",
    .refuses = a3_refuses,
    .open = a3_open,
    .ask = a3_ask,
    .go_on = a3_go_on,
    .close = a3_close,
};
