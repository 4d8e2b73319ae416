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

/* What the columns can take when `met` numbers of each stretch are in use: whole pages, of a
   dense column huge ones, and the pages at both ends. */
static size_t bound(const graph_charge *c, const graph *g, size_t met, size_t stretches)
{
    bool huge = met * c->widest > MEM_DENSE_FROM;
    size_t ends = c->columns * (huge ? MEM_HUGE_PAGE : 2 * MEM_PAGE);
    size_t stretch = met * c->item + ends, most = (size_t)g->stride * c->item;
    return stretches * (stretch < most ? stretch : most) + ends;
}

/* The same when so many numbers were written to, each of which has a page in every column. */
static size_t scattered_bound(const graph_charge *c, uint64_t items)
{
    size_t page = c->columns * MEM_PAGE;
    return items > SIZE_MAX / page ? SIZE_MAX : items * page;
}

static int raise(graph_charge *c, mem *m, size_t want, err *e)
{
    if (want <= c->bytes) return 0;
    if (mem_charge(m, want - c->bytes, e) != 0) return (int)e->code;
    c->bytes = want;
    return 0;
}

/* Somewhat more, so that it is not due at once, but not more than `most`. */
static uint64_t ahead(uint64_t now, uint64_t least, uint64_t most)
{
    uint64_t more = now / 32 + least;
    return most - now < more ? most : now + more;
}

int graph_charge_to(graph_charge *c, const graph *g, mem *m, graph_use u, err *e)
{
    uint32_t met = (uint32_t)ahead(*g->met, 256, g->stride);
    uint64_t items = ahead(u.items, 16, GRAPH_ITEMS_ANY);
    size_t whole = bound(c, g, met, u.stretches), scattered = scattered_bound(c, items);
    if (raise(c, m, scattered < whole ? scattered : whole, e) != 0) return (int)e->code;
    if (scattered < whole) c->items = items;
    else c->met = met, c->stretches = u.stretches;
    return 0;
}

void graph_charge_close(graph_charge *c, mem *m)
{
    mem_discharge(m, c->bytes);
    *c = (graph_charge){ .bytes = 0 };
}
