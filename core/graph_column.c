#include "core/graph_column.h"

static size_t stretches_of(const graph *g, vertex_id vertices)
{
    return vertices / g->stride;
}

void *graph_column_open(const graph *g, mem *m, vertex_id vertices, size_t item,
                        graph_column_use use, err *e)
{
    if (g->met == NULL) return mem_get_array(m, vertices, item, e);
    return mem_reserve(m, stretches_of(g, vertices), g->stride * item,
                       use == GRAPH_COLUMN_DENSE, e);
}

void graph_column_close(const graph *g, mem *m, void *column, vertex_id vertices,
                        size_t item)
{
    if (g->met == NULL) mem_put(m, column, vertices * item);
    else mem_unreserve(column, stretches_of(g, vertices), g->stride * item);
}

int graph_charge_to(graph_charge *c, const graph *g, mem *m, uint64_t items, size_t item,
                    err *e)
{
    size_t want = items * item;
    if (g->met == NULL || want <= c->bytes) return 0;
    if (mem_charge(m, want - c->bytes, e) != 0) return (int)e->code;
    c->bytes = want;
    return 0;
}

void graph_charge_close(graph_charge *c, mem *m)
{
    mem_discharge(m, c->bytes);
    c->bytes = 0;
}
