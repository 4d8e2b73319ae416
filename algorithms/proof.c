/*
 * proof - from the choices of a solver to a proof that can be checked.
 *
 * Idea       Breadth-first from the vertex in question over the edges that the rule keeps.
 *            A vertex that became stable passively has no choice: any successor with the same
 *            value will do, for cycles in its block are harmless.
 *            Ranks: within the blocks that need them, a vertex has rank one more than the
 *            greatest of its kept successors, found from the leaves backwards.
 * Cost       Linear in the kept edges and, where a choice is missing, the rows looked at.
 */
#include "algorithms/proof.h"

#include <assert.h>

enum { ROOM = 64 };

/* Work in progress: where a vertex stands in the proof. */
typedef struct walk {
    proof *p;
    const graph *g;
    const solution *s;
    uint32_t *position; /* per vertex of the graph: its place in the proof + 1 */
} walk;

void proof_close(proof *p)
{
    if (p->m == NULL) return;
    vec_release(p->m, &p->vertices);
    vec_release(p->m, &p->first);
    vec_release(p->m, &p->edge);
    *p = (proof){ .m = NULL };
}

static int add_vertex(walk *w, vertex_id v, err *e)
{
    if (w->position[v] != 0) return 0;
    proof_vertex fresh = { .vertex = v, .choice = VERTEX_NONE };
    w->position[v] = (uint32_t)w->p->vertices.count + 1;
    return vec_push(w->p->m, &w->p->vertices, fresh, e);
}

static int add_edge(walk *w, vertex_id to, err *e)
{
    assert(solution_is_stable(w->s, to) && solution_value(w->s, to) == w->p->value);
    if (add_vertex(w, to, e) != 0) return (int)e->code;
    return vec_push(w->p->m, &w->p->edge, w->position[to] - 1, e);
}

/* Any successor with the value of the proof. */
static vertex_id find_choice(const walk *w, vertex_id v)
{
    vertex_id stretch[ROOM];
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    do {
        graph_expand(w->g, v, row.next, stretch, ROOM, &row);
        for (uint32_t i = 0; i < row.count; i++)
            if (solution_is_stable(w->s, stretch[i]) &&
                solution_value(w->s, stretch[i]) == w->p->value)
                return stretch[i];
    } while (row.next != GRAPH_ROW_END);
    return VERTEX_NONE;
}

static int keep_one(walk *w, size_t i, err *e)
{
    proof_vertex *v = &w->p->vertices.at[i];
    vertex_id kept = w->s->choice[v->vertex];
    v->choice = kept ? kept - 1 : find_choice(w, v->vertex);
    assert(v->choice != VERTEX_NONE);
    return add_edge(w, v->choice, e);
}

/* All successors, from the stretch that is there on. */
static int keep_all(walk *w, vertex_id v, vertex_id *stretch, graph_row *row, err *e)
{
    for (;;) {
        for (uint32_t i = 0; i < row->count; i++)
            if (add_edge(w, stretch[i], e) != 0) return (int)e->code;
        if (row->next == GRAPH_ROW_END) return 0;
        graph_expand(w->g, v, row->next, stretch, ROOM, row);
    }
}

static int expand(walk *w, size_t i, err *e)
{
    vertex_id stretch[ROOM], v = w->p->vertices.at[i].vertex;
    graph_row row;
    graph_expand(w->g, v, GRAPH_ROW_BEGIN, stretch, ROOM, &row);
    if (vec_push(w->p->m, &w->p->first, w->p->edge.count, e) != 0) return (int)e->code;
    return graph_absorbing(row.op) == w->p->value ? keep_one(w, i, e)
                                                  : keep_all(w, v, stretch, &row, e);
}

static int walk_all(walk *w, vertex_id v, err *e)
{
    proof *p = w->p;
    if (add_vertex(w, v, e) != 0) return (int)e->code;
    for (size_t i = 0, level_end = 1; i < p->vertices.count; i++) {
        if (i == level_end) {
            p->depth++;
            level_end = p->vertices.count;
        }
        if (expand(w, i, e) != 0) return (int)e->code;
    }
    return vec_push(p->m, &p->first, p->edge.count, e);
}

/* ---- ranks --------------------------------------------------------------------------- */

/* Edges within blocks that need a rank, turned round. */
typedef struct ranking {
    uint32_t *open;   /* per vertex: kept successors that have no rank yet */
    uint32_t *start;  /* per vertex, and one more: where its predecessors begin */
    uint32_t *before; /* predecessors */
    uint32_t *ready;  /* vertices whose rank is known, in order */
} ranking;

static bool ranks_matter(const walk *w, uint32_t from, uint32_t to)
{
    uint32_t b = graph_block_of(w->g, w->p->vertices.at[from].vertex);
    return proof_needs_rank(w->g->blocks[b].sign, w->p->value) &&
           b == graph_block_of(w->g, w->p->vertices.at[to].vertex);
}

static void count_edges(const walk *w, ranking *r, uint32_t count)
{
    const proof *p = w->p;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = p->first.at[i]; k < p->first.at[i + 1]; k++)
            if (ranks_matter(w, i, p->edge.at[k])) {
                r->open[i]++;
                r->start[p->edge.at[k] + 1]++;
            }
    for (uint32_t i = 0; i < count; i++) r->start[i + 1] += r->start[i];
}

/* Filling moves start[i] to the beginning of i + 1; then everything is one place off. */
static void turn_edges(const walk *w, ranking *r, uint32_t count)
{
    const proof *p = w->p;
    for (uint32_t i = 0; i < count; i++)
        for (uint64_t k = p->first.at[i]; k < p->first.at[i + 1]; k++)
            if (ranks_matter(w, i, p->edge.at[k]))
                r->before[r->start[p->edge.at[k]]++] = i;
}

static uint32_t spread_ranks(proof *p, ranking *r, uint32_t count)
{
    uint32_t done = 0, ready = 0;
    for (uint32_t i = 0; i < count; i++)
        if (r->open[i] == 0) r->ready[ready++] = i;
    for (; done < ready; done++) {
        uint32_t i = r->ready[done], rank = p->vertices.at[i].rank + 1;
        for (uint32_t k = i ? r->start[i - 1] : 0; k < r->start[i]; k++) {
            uint32_t y = r->before[k];
            if (p->vertices.at[y].rank < rank) p->vertices.at[y].rank = rank;
            if (--r->open[y] == 0) r->ready[ready++] = y;
        }
    }
    return done;
}

static int rank_all(walk *w, err *e)
{
    proof *p = w->p;
    uint32_t count = (uint32_t)p->vertices.count;
    size_t column = (size_t)count + 1, edges = p->edge.count;
    uint32_t *block = mem_get_array(p->m, 3 * column + edges, sizeof *block, e);
    if (block == NULL) return (int)e->code;
    ranking r = { block, block + column, block + 3 * column, block + 2 * column };
    count_edges(w, &r, count);
    turn_edges(w, &r, count);
    uint32_t done = spread_ranks(p, &r, count);
    mem_put(p->m, block, (3 * column + edges) * sizeof *block);
    if (done == count) return 0;
    return err_set(e, ERR_SYSTEM, "the solver's choices go round in a circle: no proof");
}

int proof_open(proof *p, mem *m, const graph *g, const solution *s, vertex_id v, err *e)
{
    assert(s->choice && solution_is_stable(s, v));
    *p = (proof){ .m = m, .value = solution_value(s, v) };
    walk w = { p, g, s, mem_get_array(m, g->vertices, sizeof *w.position, e) };
    if (w.position && walk_all(&w, v, e) == 0) rank_all(&w, e);
    mem_put(m, w.position, (size_t)g->vertices * sizeof *w.position);
    if (e->code != ERR_NONE) proof_close(p);
    return (int)e->code;
}
