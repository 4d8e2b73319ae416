/*
 * a4-bfs - breadth-first resolution of a block that is a plain search.
 *
 * Idea       In a mu-block of or-vertices only, asked for one vertex, that vertex is true
 *            exactly when it reaches a true one; dually in a nu-block of and-vertices.  So a
 *            search with a parent per vertex is enough, it can be breadth-first, and the
 *            path found is a shortest one.
 * Invariant  Nothing visited so far has a successor with the absorbing value.
 * Cost       Each edge once; 1 byte per vertex, 4 of queue where the front is widest, 4 of
 *            parent per vertex for a diagnostic.
 */
#include "algorithms/frontier.h"
#include "algorithms/solvers.h"

typedef struct a4_bfs {
    run r;
    graph_block block;
    bool absorbs;
    vertex_id asked;
    frontier search;
} a4_bfs;

static const char *a4_bfs_refuses(const graph_block *b)
{
    bool plain = (b->sign == GRAPH_MU && b->promise & GRAPH_DISJUNCTIVE) ||
                 (b->sign == GRAPH_NU && b->promise & GRAPH_CONJUNCTIVE);
    if (!plain) return "blocks other than disjunctive mu and conjunctive nu";
    if (!(b->promise & GRAPH_PURE)) return "blocks that are not of one operator";
    return b->promise & GRAPH_SINGLE_ENTRY ? NULL : "blocks asked for several vertices";
}

static int a4_bfs_open(void **self, const run *r, uint32_t block, err *e)
{
    a4_bfs *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->r = *r;
    s->block = r->blocks[block];
    s->absorbs = s->block.sign == GRAPH_MU;
    *self = s;
    return 0;
}

static void a4_bfs_close(void *self)
{
    a4_bfs *s = self;
    frontier_release(&s->search, s->r.m);
    mem_put(s->r.m, s, sizeof *s);
}

static int a4_bfs_ask(void *self, vertex_id v, err *e)
{
    a4_bfs *s = self;
    if (frontier_reserve(&s->search, s->r.m, e) != 0) return (int)e->code;
    solution_visit(s->r.found, v);
    frontier_put(&s->search, v);
    s->asked = v;
    return 0;
}

/* While the search runs, choice holds who found a vertex; turn the path round. */
static void settle_path(a4_bfs *s, vertex_id y, vertex_id because)
{
    solution *found = s->r.found;
    if (found->choice == NULL) {
        solution_settle(found, s->asked, s->absorbs);
        return;
    }
    for (;;) {
        vertex_id parent = found->choice[y];
        solution_settle(found, y, s->absorbs);
        found->choice[y] = because == VERTEX_NONE ? 0 : because + 1;
        if (parent == 0) return;
        because = y;
        y = parent - 1;
    }
}

/* A constant of the other operator has no successors and the absorbing value. */
static bool is_absorbing_constant(const a4_bfs *s, const graph_row *row)
{
    return row->count == 0 && row->next == GRAPH_ROW_END &&
           graph_absorbing(row->op) != s->absorbs;
}

typedef enum { ROW_DONE, ROW_FOUND, ROW_NEED } row_end;

/* A successor in a later block: its value is wanted, or ends the search, or is nothing. */
static row_end look_outside(a4_bfs *s, vertex_id y, vertex_id z, vertex_id *need)
{
    if (!solution_is_stable(s->r.found, z)) {
        *need = z;
        return ROW_NEED;
    }
    s->r.found->edges++;
    if (solution_value(s->r.found, z) != s->absorbs) return ROW_DONE;
    settle_path(s, y, z);
    return ROW_FOUND;
}

/* Find new vertices in the stretch that is loaded, up to its end or to a successor in a later
   block; there is room for them.  Counters in registers: a status may alias anything. */
static void find_new(a4_bfs *s, vertex_id y, const frontier_row *t)
{
    solution *found = s->r.found;
    frontier *f = &s->search;
    uint8_t *status = found->status;
    vertex_id *queue = f->queue, *choice = found->choice, end = s->block.end;
    size_t tail = f->tail, mask = f->room - 1;
    uint32_t at = f->at, count = t->row.count;
    for (; at < count && t->to[at] < end; at++) {
        vertex_id z = t->to[at];
        if (status[z] & SOLUTION_SEEN) continue;
        status[z] |= SOLUTION_SEEN;
        queue[tail++ & mask] = z;
        if (choice) choice[z] = y + 1;
    }
    found->edges += at - f->at;
    found->seen += tail - f->tail;
    f->tail = tail;
    f->at = at;
}

static row_end look_at_stretch(a4_bfs *s, vertex_id y, const frontier_row *t,
                               vertex_id *need)
{
    for (;;) {
        find_new(s, y, t);
        if (s->search.at == t->row.count) return ROW_DONE;
        row_end end = look_outside(s, y, t->to[s->search.at], need);
        if (end != ROW_DONE) return end;
        s->search.at++;
    }
}

static row_end look_at_row(a4_bfs *s, vertex_id *need, err *e)
{
    frontier *f = &s->search;
    const graph *g = s->r.g;
    vertex_id y = frontier_get(f, f->head);
    const frontier_row *t = frontier_load(f, g, s->r.found, NULL, &s->block);
    if (is_absorbing_constant(s, &t->row)) {
        settle_path(s, y, VERTEX_NONE);
        return ROW_FOUND;
    }
    do {
        if (frontier_reserve(f, s->r.m, e) != 0) return ROW_DONE;
        row_end end = look_at_stretch(s, y, t, need);
        if (end != ROW_DONE) return end;
    } while (frontier_more(f, g));
    return ROW_DONE;
}

static algorithm_step a4_bfs_go_on(void *self, vertex_id *need, err *e)
{
    a4_bfs *s = self;
    for (; !frontier_is_empty(&s->search); frontier_advance(&s->search)) {
        if (run_tick(&s->r, s->search.head, e) != 0) return ALGORITHM_FAILED;
        row_end end = look_at_row(s, need, e);
        if (e->code != ERR_NONE) return ALGORITHM_FAILED;
        if (end == ROW_NEED) return ALGORITHM_NEED;
        if (end == ROW_FOUND) return ALGORITHM_DONE;
    }
    solution_settle_seen(s->r.found, &s->block);
    return ALGORITHM_DONE;
}

const algorithm alg_a4_bfs = {
    .name = "a4-bfs",
    .doc = "breadth-first, blocks of one operator asked for one vertex, least memory",
    .refuses = a4_bfs_refuses,
    .open = a4_bfs_open,
    .ask = a4_bfs_ask,
    .go_on = a4_bfs_go_on,
    .close = a4_bfs_close,
};
