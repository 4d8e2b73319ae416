/*
 * a4-bfs - breadth-first resolution of a block that is a plain search.
 *
 * Idea       In a mu-block of or-vertices only, asked for one vertex, that vertex is true
 *            exactly when it reaches a true one; dually in a nu-block of and-vertices.  So a
 *            search with a parent per vertex is enough, it can be breadth-first, and the
 *            path found is a shortest one.
 * Invariant  Nothing visited so far has a successor with the absorbing value.
 * Cost       Each edge once; 1 byte and 4 of queue per vertex, 4 of parent for a diagnostic.
 *            No waiting for memory: what the queue will need is fetched ahead.
 */
#include "algorithms/solvers.h"

#include "core/vec.h"

enum { AHEAD = 4, RING = 8, ROOM = 64, FETCH_BOUNDS = 16, FETCH_ROW = 8 };

/* The beginning of a row, fetched before its turn. */
typedef struct stretch {
    graph_row row;
    vertex_id to[ROOM];
} stretch;

typedef struct a4_bfs {
    run r;
    graph_block block;
    bool absorbs;
    VEC(vertex_id) queue;
    size_t head;  /* the vertex whose row is looked at */
    size_t ahead; /* rows of queue[head .. ahead-1] are in the ring */
    uint32_t at;  /* how many of its stretch are done */
    stretch ring[RING];
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
    vec_release(s->r.m, &s->queue);
    mem_put(s->r.m, s, sizeof *s);
}

static int a4_bfs_ask(void *self, vertex_id v, err *e)
{
    a4_bfs *s = self;
    solution_visit(s->r.found, v);
    return vec_push(s->r.m, &s->queue, v, e);
}

/* Bring rows into the ring, and the marks of what they lead to into the cache. */
static void fill_ring(a4_bfs *s)
{
    const graph *g = s->r.g;
    size_t count = s->queue.count;
    if (s->head + FETCH_BOUNDS < count)
        graph_fetch(g, s->queue.at[s->head + FETCH_BOUNDS], 0);
    if (s->head + FETCH_ROW < count) graph_fetch(g, s->queue.at[s->head + FETCH_ROW], 1);
    for (; s->ahead < count && s->ahead <= s->head + AHEAD; s->ahead++) {
        stretch *t = &s->ring[s->ahead % RING];
        graph_expand(g, s->queue.at[s->ahead], GRAPH_ROW_BEGIN, t->to, ROOM, &t->row);
        for (uint32_t i = 0; i < t->row.count; i++)
            __builtin_prefetch(&s->r.found->status[t->to[i]]);
    }
}

/* While the search runs, choice holds who found a vertex; turn the path round. */
static void settle_path(a4_bfs *s, vertex_id y, vertex_id because)
{
    solution *found = s->r.found;
    if (found->choice == NULL) {
        solution_settle(found, s->queue.at[0], s->absorbs);
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
static bool is_absorbing_constant(const a4_bfs *s, const stretch *t)
{
    return t->row.count == 0 && t->row.next == GRAPH_ROW_END &&
           graph_absorbing(t->row.op) != s->absorbs;
}

static int find(a4_bfs *s, vertex_id y, vertex_id z, err *e)
{
    if (!solution_visit(s->r.found, z)) return 0;
    if (s->r.found->choice) s->r.found->choice[z] = y + 1;
    return vec_push(s->r.m, &s->queue, z, e);
}

typedef enum { ROW_DONE, ROW_FOUND, ROW_NEED } row_end;

static row_end look_at_row(a4_bfs *s, vertex_id y, vertex_id *need, err *e)
{
    stretch *t = &s->ring[s->head % RING];
    if (is_absorbing_constant(s, t)) {
        settle_path(s, y, VERTEX_NONE);
        return ROW_FOUND;
    }
    for (;;) {
        for (; s->at < t->row.count; s->at++) {
            vertex_id z = t->to[s->at];
            if (z >= s->block.end && !solution_is_stable(s->r.found, z)) {
                *need = z;
                return ROW_NEED;
            }
            s->r.found->edges++;
            if (z < s->block.end) {
                if (find(s, y, z, e) != 0) return ROW_DONE;
            } else if (solution_value(s->r.found, z) == s->absorbs) {
                settle_path(s, y, z);
                return ROW_FOUND;
            }
        }
        s->at = 0;
        if (t->row.next == GRAPH_ROW_END) return ROW_DONE;
        graph_expand(s->r.g, y, t->row.next, t->to, ROOM, &t->row);
    }
}

static algorithm_step a4_bfs_go_on(void *self, vertex_id *need, err *e)
{
    a4_bfs *s = self;
    for (; s->head < s->queue.count; s->head++) {
        if (run_tick(&s->r, s->head, e) != 0) return ALGORITHM_FAILED;
        fill_ring(s);
        row_end end = look_at_row(s, s->queue.at[s->head], need, e);
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
