#include "algorithms/trail.h"

void trail_open(trail *t, mem *m, const graph *g, trail_columns fetched)
{
    *t = (trail){ .m = m, .g = g, .fetched = fetched };
}

void trail_close(trail *t)
{
    if (t->m == NULL) return;
    vec_release(t->m, &t->vertex);
    vec_release(t->m, &t->place);
    vec_release(t->m, &t->index);
}

void trail_clear(trail *t)
{
    t->vertex.count = t->place.count = t->index.count = 0;
    for (int i = 0; i < TRAIL_ROWS; i++) t->rows[i].depth = 0;
}

int trail_push(trail *t, vertex_id v, err *e)
{
    if (vec_push(t->m, &t->vertex, v, e) != 0) return (int)e->code;
    if (vec_push(t->m, &t->place, GRAPH_ROW_BEGIN, e) != 0) return (int)e->code;
    trail_row_of_top(t)->depth = 0;
    return vec_push(t->m, &t->index, 0, e);
}

/* What is known of the successors in a row. */
static void fetch_columns(const trail_columns *c, const trail_row *r)
{
    if (c->status == NULL) return;
    for (uint32_t i = 0; i < r->row.count; i++) {
        vertex_id z = r->to[i];
        __builtin_prefetch(&c->status[z], 1);
        if (c->column && z < c->end) __builtin_prefetch(&c->column[z - c->begin], 1);
    }
}

/* Compute the row of a vertex of the path, from where the search stands in it. */
static void compute_row(trail *t, size_t depth)
{
    trail_row *r = &t->rows[depth % TRAIL_ROWS];
    r->depth = depth;
    r->place = t->place.at[depth - 1];
    graph_expand(t->g, t->vertex.at[depth - 1], r->place, r->to, TRAIL_STRETCH, &r->row);
    fetch_columns(&t->fetched, r);
}

/* The search goes back: rows below will be wanted soon. */
static void look_below(trail *t)
{
    size_t top = t->vertex.count;
    if (top <= TRAIL_FETCH_BOUNDS) return;
    if (t->rows[(top - TRAIL_AHEAD) % TRAIL_ROWS].depth == top - TRAIL_AHEAD) return;
    graph_fetch(t->g, t->vertex.at[top - TRAIL_FETCH_BOUNDS - 1], 0);
    graph_fetch(t->g, t->vertex.at[top - TRAIL_FETCH_ROW - 1], 1);
    compute_row(t, top - TRAIL_AHEAD);
}

void trail_pop(trail *t)
{
    trail_drop(t);
    look_below(t);
    vec_trim(t->m, &t->vertex);
    vec_trim(t->m, &t->place);
    vec_trim(t->m, &t->index);
}

graph_op trail_load(trail *t)
{
    size_t top = t->vertex.count;
    const trail_row *r = trail_row_of_top(t);
    if (r->depth != top || r->place != t->place.at[top - 1]) compute_row(t, top);
    return r->row.op;
}

bool trail_look(trail *t, vertex_id *out)
{
    size_t top = t->vertex.count;
    const trail_row *r = trail_row_of_top(t);
    trail_load(t);
    while (t->index.at[top - 1] >= r->row.count) { /* > where rows failed since */
        if (r->row.next == GRAPH_ROW_END) return false;
        t->place.at[top - 1] = r->row.next;
        t->index.at[top - 1] = 0;
        compute_row(t, top);
    }
    *out = r->to[t->index.at[top - 1]];
    return true;
}

void trail_rewind(trail *t)
{
    size_t top = t->vertex.count;
    t->place.at[top - 1] = GRAPH_ROW_BEGIN;
    t->index.at[top - 1] = 0;
}
