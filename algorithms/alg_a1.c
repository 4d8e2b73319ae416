/*
 * a1 - depth-first resolution of any block.
 *
 * Idea       Search depth-first from the vertex asked for.  A vertex that becomes stable is
 *            propagated at once to those who wait for it, and the search goes back to the
 *            lowest vertex of the trail that is still open.
 * Invariant  The stable vertices of the trail are at its top: whoever waits for a vertex is
 *            below it on the trail or was left below it in the search.  So every vertex
 *            visited is joined to the one asked for by open vertices (requirement R2).
 * Cost       Every edge once forwards and at most once backwards (R1); what was visited is
 *            stable in the end (R3).  Per vertex 9 bytes of columns and 9 of trail, per
 *            waiting edge some 6; diagnostics may be deep.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 2; counters as in docs/ARCHITECTURE.md.
 */
#include "algorithms/propagation.h"
#include "algorithms/solvers.h"
#include "algorithms/trail.h"

typedef struct a1 {
    propagation back;
    trail path;
} a1;

static void a1_close(void *self)
{
    a1 *s = self;
    mem *m = s->back.r.m;
    trail_close(&s->path);
    propagation_close(&s->back);
    mem_put(m, s, sizeof *s);
}

static int a1_open(void **self, const run *r, uint32_t block, err *e)
{
    a1 *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    if (propagation_open(&s->back, r, block, e) != 0) {
        s->back.r = *r;
        a1_close(s);
        return (int)e->code;
    }
    trail_columns fetched = { r->found->status, s->back.waiting.head, s->back.block.begin,
                              s->back.block.end };
    trail_open(&s->path, r->m, r->g, fetched);
    *self = s;
    return 0;
}

static int visit(a1 *s, vertex_id v, err *e)
{
    solution_visit(s->back.r.found, v);
    if (propagation_note(&s->back, v, e) != 0) return (int)e->code;
    if (trail_push(&s->path, v, e) != 0) return (int)e->code;
    propagation_operator(&s->back, v, trail_load(&s->path));
    return 0;
}

static int a1_ask(void *self, vertex_id v, err *e) { return visit(self, v, e); }

/* The search stands before successor z of y. */
static int take_step(a1 *s, vertex_id y, vertex_id z, err *e)
{
    solution *found = s->back.r.found;
    found->edges++;
    trail_advance(&s->path);
    if (solution_is_stable(found, z)) return propagation_apply(&s->back, y, z, e);
    if (propagation_wait(&s->back, y, &z, 1, e) != 0) return (int)e->code;
    return found->status[z] & SOLUTION_SEEN ? 0 : visit(s, z, e);
}

static algorithm_step a1_go_on(void *self, vertex_id *need, err *e)
{
    a1 *s = self;
    const solution *found = s->back.r.found;
    for (uint64_t step = 0; !trail_is_empty(&s->path); step++) {
        vertex_id y = trail_top(&s->path), z;
        if (run_tick(&s->back.r, step, e) != 0) return ALGORITHM_FAILED;
        if (solution_is_stable(found, y)) {
            trail_pop(&s->path);
        } else if (!trail_look(&s->path, &z)) {
            propagation_row_done(&s->back, y, e);
            trail_pop(&s->path);
        } else if (z >= s->back.block.end && !solution_is_stable(found, z)) {
            *need = z;
            return ALGORITHM_NEED;
        } else {
            take_step(s, y, z, e);
        }
        if (e->code != ERR_NONE || propagation_spread(&s->back, e) != 0)
            return ALGORITHM_FAILED;
    }
    propagation_finish(&s->back);
    return ALGORITHM_DONE;
}

const algorithm alg_a1 = {
    .name = "a1",
    .doc = "depth-first, any plain block",
    .open = a1_open,
    .ask = a1_ask,
    .go_on = a1_go_on,
    .close = a1_close,
};
