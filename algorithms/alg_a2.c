/*
 * a2 - breadth-first resolution of any block, for short diagnostics.
 *
 * Idea       Vertices are expanded in the order they were found, their whole row at once.
 *            Values go back as soon as they are known.
 * Invariant  All vertices visited in this call are in the queue or were expanded.  Who is in
 *            the queue is not stable: nobody is before his row was looked at.
 * Cost       Every edge once forwards and at most once backwards (R1), all visited vertices
 *            stable in the end (R3).  A vertex may be expanded although nothing that is
 *            open leads to it any more (not R2).  A block that is asked for one vertex ends
 *            as soon as that is stable.  9 bytes of columns per vertex,
 *            some 4.5 per waiting edge, 4 of queue where the front is widest.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 4; counters as in docs/ARCHITECTURE.md.
 */
#include "algorithms/frontier.h"
#include "algorithms/propagation.h"
#include "algorithms/solvers.h"

typedef struct a2 {
    propagation back;
    frontier search;
    vertex_id asked;
    bool expanding; /* the row of the head is being looked at */
} a2;

static void a2_close(void *self)
{
    a2 *s = self;
    mem *m = s->back.r.m;
    frontier_release(&s->search, m);
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
    *self = s;
    return 0;
}

static int a2_ask(void *self, vertex_id v, err *e)
{
    a2 *s = self;
    s->asked = v;
    frontier_clear(&s->search);
    if (frontier_reserve(&s->search, s->back.r.m, e) != 0) return (int)e->code;
    solution_visit(s->back.r.found, v);
    frontier_put(&s->search, v);
    return propagation_note(&s->back, v, e);
}

typedef enum { ROW_DONE, ROW_STABLE, ROW_NEED } row_end;

/* Vertices of the block without a value, from where the stretch was left: visit the new ones,
   for which there is room in the queue.  Returns where another kind of successor stands.
   Counters in registers: a status may alias anything. */
static uint32_t find_open(a2 *s, const frontier_row *t, err *e)
{
    solution *found = s->back.r.found;
    frontier *f = &s->search;
    uint8_t *status = found->status;
    vertex_id *queue = f->queue, end = s->back.block.end;
    size_t tail = f->tail, mask = f->room - 1;
    uint32_t at = f->at, count = t->row.count;
    for (; at < count && t->to[at] < end; at++) {
        vertex_id z = t->to[at];
        if (status[z] & SOLUTION_STABLE) break;
        if (status[z] & SOLUTION_SEEN) continue;
        status[z] |= SOLUTION_SEEN;
        queue[tail++ & mask] = z;
        if (propagation_note(&s->back, z, e) != 0) break;
    }
    found->seen += tail - f->tail;
    f->tail = tail;
    return at;
}

/* Successor z has a value, or lies in a later block. */
static row_end look_at_other(a2 *s, vertex_id y, vertex_id z, vertex_id *need, err *e)
{
    solution *found = s->back.r.found;
    if (!solution_is_stable(found, z)) {
        *need = z;
        return ROW_NEED;
    }
    found->edges++;
    propagation_apply(&s->back, y, z, e);
    return solution_is_stable(found, y) ? ROW_STABLE : ROW_DONE;
}

/* Look at the stretch that is loaded, from where it was left. */
static row_end look_at_stretch(a2 *s, vertex_id y, const frontier_row *t, vertex_id *need,
                               err *e)
{
    frontier *f = &s->search;
    row_end end = ROW_DONE;
    while (e->code == ERR_NONE && end == ROW_DONE) {
        uint32_t at = find_open(s, t, e);
        s->back.r.found->edges += at - f->at;
        propagation_wait(&s->back, y, t->to + f->at, at - f->at, e);
        f->at = at;
        if (at == t->row.count) break;
        end = look_at_other(s, y, t->to[at], need, e);
        f->at += end == ROW_DONE;
    }
    return end;
}

static row_end look_at_row(a2 *s, vertex_id y, vertex_id *need, err *e)
{
    frontier *f = &s->search;
    const graph *g = s->back.r.g;
    const frontier_row *t =
        frontier_load(f, g, s->back.r.found, &s->back.waiting, &s->back.block);
    if (!s->expanding) propagation_operator(&s->back, y, t->row.op);
    s->expanding = true;
    do {
        if (frontier_reserve(f, s->back.r.m, e) != 0) return ROW_DONE;
        row_end end = look_at_stretch(s, y, t, need, e);
        if (end != ROW_DONE || e->code != ERR_NONE) return end;
    } while (frontier_more(f, g));
    propagation_row_done(&s->back, y, e);
    return ROW_DONE;
}

static algorithm_step a2_go_on(void *self, vertex_id *need, err *e)
{
    a2 *s = self;
    const solution *found = s->back.r.found;
    for (; !frontier_is_empty(&s->search); frontier_advance(&s->search)) {
        vertex_id y = frontier_get(&s->search, s->search.head);
        if (run_tick(&s->back.r, s->search.head, e) != 0) return ALGORITHM_FAILED;
        row_end end = look_at_row(s, y, need, e);
        if (e->code != ERR_NONE) return ALGORITHM_FAILED;
        if (end == ROW_NEED) return ALGORITHM_NEED;
        s->expanding = false;
        if (propagation_spread(&s->back, e) != 0) return ALGORITHM_FAILED;
        if (s->back.one_call && solution_is_stable(found, s->asked))
            return ALGORITHM_DONE;
    }
    propagation_finish(&s->back);
    return ALGORITHM_DONE;
}

const algorithm alg_a2 = {
    .name = "a2",
    .doc = "breadth-first, any plain block, short diagnostics",
    .open = a2_open,
    .ask = a2_ask,
    .go_on = a2_go_on,
    .close = a2_close,
};
