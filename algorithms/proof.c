/*
 * proof - from the choices of a solver to a proof that can be checked.
 *
 * Idea       Breadth-first from the vertex in question over the edges that the rule keeps.
 *            A vertex of a plain block that became stable passively has no choice: any
 *            successor with the same value will do, for cycles in its block are harmless.
 *            Ranks: the least that fit.  A depth-first search completes a strongly connected
 *            component after those it reaches; its rank is the greatest that one of its edges
 *            asks for.  A rank that must fall along an edge within a component cannot.
 * Invariant  Of the ranks: an open vertex is on the path, or left it and reaches it.
 * Cost       Linear in the kept edges and, where a choice is missing, the rows looked at.
 *            Ranks take 20 bytes per vertex while they are computed.
 * Source     Of the ranks: R. Tarjan, SIAM Journal on Computing 1 (1972), 146-160.
 */
#include "algorithms/proof.h"

#include "core/graph_column.h"
#include "core/graph_cursor.h"

#include <assert.h>

/* Work in progress: where a vertex stands in the proof. */
typedef struct walk {
    proof *p;
    const graph *g;
    const solution *s;
    uint32_t *position; /* per vertex of the graph: its place in the proof + 1 */
    graph_charge charge;
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
    graph_cursor row;
    graph_cursor_open(&row, w->g, v);
    for (vertex_id z; graph_cursor_next(&row, &z);)
        if (solution_is_stable(w->s, z) && solution_value(w->s, z) == w->p->value)
            return z;
    return VERTEX_NONE;
}

static int keep_one(walk *w, size_t i, err *e)
{
    proof_vertex *v = &w->p->vertices.at[i];
    vertex_id kept = w->s->choice[v->vertex];
    v->choice = kept ? kept - 1 : find_choice(w, v->vertex);
    if (graph_trouble(w->g, e) != 0) return (int)e->code;
    assert(v->choice != VERTEX_NONE);
    return add_edge(w, v->choice, e);
}

static int expand(walk *w, size_t i, err *e)
{
    graph_cursor row;
    graph_cursor_open(&row, w->g, w->p->vertices.at[i].vertex);
    if (vec_push(w->p->m, &w->p->first, w->p->edge.count, e) != 0) return (int)e->code;
    if (graph_absorbing(row.row.op) == w->p->value) return keep_one(w, i, e);
    for (vertex_id z; e->code == ERR_NONE && graph_cursor_next(&row, &z);)
        add_edge(w, z, e);
    return (int)e->code;
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
        if (graph_charge_look(&w->charge, w->g, p->m, p->vertices.count, e) != 0 ||
            expand(w, i, e) != 0)
            return (int)e->code;
    }
    return vec_push(p->m, &p->first, p->edge.count, e);
}

/* ---- ranks --------------------------------------------------------------------------- */

/* A vertex in the search; together, because it is looked at together. */
typedef struct mark {
    uint64_t next;   /* the edge where the search goes on */
    uint32_t number; /* in the order in which they were found, from 1; 0: not yet */
    uint32_t low;    /* least number of an open one it is known to reach, or CLOSED */
} mark;

#define CLOSED UINT32_MAX /* its component is complete, its rank final */

/* A depth-first search over the edges that have a rule. */
typedef struct ranking {
    proof *p;
    const graph *g;
    mark *marks;     /* per position in the proof */
    uint32_t *stack; /* the path from the bottom; from the top, who left it and is open */
    uint32_t path, left, found;
} ranking;

static void enter(ranking *r, uint32_t i)
{
    r->found++;
    r->marks[i] = (mark){ r->p->first.at[i], r->found, r->found };
    r->stack[r->path++] = i;
}

static void raise_rank(proof_vertex *v, uint32_t rank)
{
    if (v->rank < rank) v->rank = rank;
}

/* The component of i, which is all that left the path since, gets its greatest rank. */
static void close_component(ranking *r, uint32_t i)
{
    proof_vertex *at = r->p->vertices.at;
    uint32_t count = (uint32_t)r->p->vertices.count, end = r->left;
    for (; end < count && r->marks[r->stack[end]].number > r->marks[i].number; end++)
        raise_rank(&at[i], at[r->stack[end]].rank);
    for (; r->left < end; r->left++) {
        at[r->stack[r->left]].rank = at[i].rank;
        r->marks[r->stack[r->left]].low = CLOSED;
    }
    r->marks[i].low = CLOSED;
}

/* All edges of i, the top of the path, are done. */
static void finish(ranking *r, uint32_t i)
{
    r->path--;
    if (r->marks[i].low == r->marks[i].number) close_component(r, i);
    else r->stack[--r->left] = i;
}

/* One edge of the top that stays in the block; false when it makes ranks impossible. */
static bool look_at(ranking *r, uint32_t i, uint32_t to, proof_rule rule)
{
    proof_vertex *at = r->p->vertices.at;
    mark *from = &r->marks[i], *there = &r->marks[to];
    if (there->number == 0) {
        enter(r, to); /* and look at it again when the search comes back */
        return true;
    }
    from->next++;
    if (there->low == CLOSED) {
        raise_rank(&at[i], at[to].rank + (rule == PROOF_FALL));
        return true;
    }
    if (there->low < from->low) from->low = there->low;
    return rule != PROOF_FALL; /* they are in one component */
}

/* One step with the top of the path. */
static bool step(ranking *r)
{
    const proof *p = r->p;
    uint32_t i = r->stack[r->path - 1];
    vertex_id v = p->vertices.at[i].vertex;
    const graph_block *b = &r->g->blocks[graph_block_of(r->g, v)];
    proof_rule rule = proof_rule_of(b, v, p->value);
    for (; rule != PROOF_FREE && r->marks[i].next < p->first.at[i + 1];
         r->marks[i].next++) {
        uint32_t to = p->edge.at[r->marks[i].next];
        if (p->vertices.at[to].vertex < b->end) return look_at(r, i, to, rule);
    }
    finish(r, i);
    return true;
}

/* From the end: edges mostly lead there, so that most of the search is one step deep. */
static bool search_all(ranking *r)
{
    for (uint32_t i = (uint32_t)r->p->vertices.count; i > 0; i--) {
        if (r->marks[i - 1].number == 0) enter(r, i - 1);
        while (r->path > 0)
            if (!step(r)) return false;
    }
    return true;
}

static int rank_all(walk *w, err *e)
{
    mem *m = w->p->m;
    size_t count = w->p->vertices.count;
    ranking r = { .p = w->p, .g = w->g, .left = (uint32_t)count };
    r.marks = mem_get_array(m, count, sizeof *r.marks, e);
    if (r.marks) r.stack = mem_get_array(m, count, sizeof *r.stack, e);
    bool whole = r.stack && search_all(&r);
    mem_put(m, r.stack, count * sizeof *r.stack);
    mem_put(m, r.marks, count * sizeof *r.marks);
    if (e->code != ERR_NONE) return (int)e->code;
    if (whole) return 0;
    return err_set(e, ERR_SYSTEM, "the solver's choices go round in a circle: no proof");
}

int proof_open(proof *p, mem *m, const graph *g, const solution *s, vertex_id v, err *e)
{
    assert(s->choice && solution_is_stable(s, v));
    *p = (proof){ .m = m, .value = solution_value(s, v) };
    walk w = { .p = p, .g = g, .s = s };
    graph_charge_add(&w.charge, sizeof *w.position);
    w.position = graph_column_open(g, m, g->vertices, sizeof *w.position,
                                   GRAPH_COLUMN_SCATTERED, e);
    if (w.position && walk_all(&w, v, e) == 0 && graph_trouble(g, e) == 0)
        rank_all(&w, e);
    graph_column_close(g, m, w.position, g->vertices, sizeof *w.position);
    graph_charge_close(&w.charge, m);
    if (e->code != ERR_NONE) proof_close(p);
    return (int)e->code;
}
