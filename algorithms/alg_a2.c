/*
 * a2 - breadth-first resolution of any block, for short diagnostics.
 *
 * Idea       Vertices are expanded in the order they were found, their whole row at once.
 *            Values go back as soon as they are known.
 * Invariant  queue[0 .. head-1] are expanded or were stable before their turn; all others
 *            visited in this call are behind them.
 * Cost       Every edge once forwards and at most once backwards (R1), all visited vertices
 *            stable in the end (R3).  A vertex may be expanded although nothing that is
 *            open leads to it any more (not R2).  A block that is asked for one vertex ends
 *            as soon as that is stable.  9 bytes of columns and 4 of queue per vertex.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 4; counters as in docs/ARCHITECTURE.md.
 */
#include "algorithms/propagation.h"
#include "algorithms/solvers.h"

enum { ROOM = 64, FETCH_BOUNDS = 16, FETCH_ROW = 8 };

typedef struct a2 {
    propagation back;
    VEC(vertex_id) queue; /* visited in this call, in that order */
    size_t head;          /* the next one to expand */
    vertex_id asked;
    bool one_call;
    bool expanding;   /* the row of queue[head] is being looked at: */
    graph_place next; /*   where it goes on behind the stretch, */
    uint32_t at;      /*   how many of the stretch are done, */
    uint32_t count;   /*   how many there are */
    vertex_id stretch[ROOM];
} a2;

static const char *a2_refuses(const graph_block *b)
{
    (void)b;
    return NULL;
}

static void a2_close(void *self)
{
    a2 *s = self;
    mem *m = s->back.r.m;
    vec_release(m, &s->queue);
    propagation_close(&s->back);
    mem_put(m, s, sizeof *s);
}

static int a2_open(void **self, const run *r, uint32_t block, err *e)
{
    a2 *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    if (propagation_open(&s->back, r, block, e) != 0) {
        s->back.r = *r;
        a2_close(s);
        return (int)e->code;
    }
    s->one_call = (s->back.block.promise & GRAPH_SINGLE_ENTRY) != 0;
    *self = s;
    return 0;
}

static int visit(a2 *s, vertex_id v, err *e)
{
    return solution_visit(s->back.r.found, v) ? vec_push(s->back.r.m, &s->queue, v, e)
                                              : 0;
}

static int a2_ask(void *self, vertex_id v, err *e)
{
    a2 *s = self;
    s->asked = v;
    s->queue.count = s->head = 0;
    return visit(s, v, e);
}

static void fetch_ahead(const a2 *s)
{
    const graph *g = s->back.r.g;
    size_t left = s->queue.count - s->head;
    if (left > FETCH_BOUNDS) graph_fetch(g, s->queue.at[s->head + FETCH_BOUNDS], 0);
    if (left > FETCH_ROW) graph_fetch(g, s->queue.at[s->head + FETCH_ROW], 1);
}

/* The next stretch of the row of y; the first one tells its operator. */
static void expand(a2 *s, vertex_id y, graph_place place)
{
    graph_row row;
    graph_expand(s->back.r.g, y, place, s->stretch, ROOM, &row);
    if (place == GRAPH_ROW_BEGIN) propagation_operator(&s->back, y, row.op);
    s->next = row.next;
    s->count = row.count;
    s->at = 0;
    s->expanding = true;
}

static int take_step(a2 *s, vertex_id y, vertex_id z, err *e)
{
    solution *found = s->back.r.found;
    found->edges++;
    if (solution_is_stable(found, z)) return propagation_apply(&s->back, y, z, e);
    if (visit(s, z, e) != 0) return (int)e->code;
    return propagation_wait(&s->back, y, z, e);
}

/* Look at the row of y from where it was left; true when the row is done with. */
static bool look_at_row(a2 *s, vertex_id y, vertex_id *need, err *e)
{
    const solution *found = s->back.r.found;
    for (;;) {
        for (; s->at < s->count; s->at++) {
            vertex_id z = s->stretch[s->at];
            if (z >= s->back.block.end && !solution_is_stable(found, z)) {
                *need = z;
                return false;
            }
            if (take_step(s, y, z, e) != 0) return false;
            if (solution_is_stable(found, y)) return true;
        }
        if (s->next == GRAPH_ROW_END) return propagation_row_done(&s->back, y, e) == 0;
        expand(s, y, s->next);
    }
}

static void settle_visited(a2 *s)
{
    for (size_t i = 0; i < s->queue.count; i++)
        propagation_settle_rest(&s->back, s->queue.at[i]);
}

static algorithm_step a2_go_on(void *self, vertex_id *need, err *e)
{
    a2 *s = self;
    const solution *found = s->back.r.found;
    while (s->head < s->queue.count) {
        vertex_id y = s->queue.at[s->head];
        if (run_tick(&s->back.r, s->head, e) != 0) return ALGORITHM_FAILED;
        if (!s->expanding && !solution_is_stable(found, y)) {
            fetch_ahead(s);
            expand(s, y, GRAPH_ROW_BEGIN);
        }
        if (s->expanding && !look_at_row(s, y, need, e))
            return e->code == ERR_NONE ? ALGORITHM_NEED : ALGORITHM_FAILED;
        s->expanding = false;
        s->head++;
        if (propagation_spread(&s->back, e) != 0) return ALGORITHM_FAILED;
        if (s->one_call && solution_is_stable(found, s->asked)) return ALGORITHM_DONE;
    }
    settle_visited(s);
    return ALGORITHM_DONE;
}

const algorithm alg_a2 = {
    .name = "a2",
    .doc = "breadth-first, any block, short diagnostics",
    .refuses = a2_refuses,
    .open = a2_open,
    .ask = a2_ask,
    .go_on = a2_go_on,
    .close = a2_close,
};
