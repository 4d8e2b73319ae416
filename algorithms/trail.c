#include "algorithms/trail.h"

void trail_release(trail *t, mem *m)
{
    vec_release(m, &t->vertex);
    vec_release(m, &t->place);
    vec_release(m, &t->index);
}

int trail_push(trail *t, mem *m, vertex_id v, err *e)
{
    if (vec_push(m, &t->vertex, v, e) != 0) return (int)e->code;
    if (vec_push(m, &t->place, GRAPH_ROW_BEGIN, e) != 0) return (int)e->code;
    t->loaded = 0;
    return vec_push(m, &t->index, 0, e);
}

static void fetch_stretch(trail *t, const graph *g)
{
    size_t top = t->vertex.count - 1;
    graph_expand(g, t->vertex.at[top], t->place.at[top], t->stretch, TRAIL_STRETCH,
                 &t->row);
    t->loaded = t->vertex.count;
}

void trail_load(trail *t, const graph *g)
{
    if (t->loaded != t->vertex.count) fetch_stretch(t, g);
}

bool trail_look(trail *t, const graph *g, vertex_id *out)
{
    size_t top = t->vertex.count - 1;
    trail_load(t, g);
    while (t->index.at[top] == t->row.count) {
        if (t->row.next == GRAPH_ROW_END) return false;
        t->place.at[top] = t->row.next;
        t->index.at[top] = 0;
        fetch_stretch(t, g);
    }
    *out = t->stretch[t->index.at[top]];
    return true;
}

void trail_rewind(trail *t)
{
    size_t top = t->vertex.count - 1;
    t->place.at[top] = GRAPH_ROW_BEGIN;
    t->index.at[top] = 0;
    t->loaded = 0;
}
