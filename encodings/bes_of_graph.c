/*
 * bes_of_graph - the equations of a graph.
 *
 * Idea       A breadth-first search finds the vertices; per block they are numbered in that
 *            order.  A second pass over them writes their rows.
 * Cost       Linear; 4 bytes per vertex number of the graph and 8 per vertex found, beside the
 *            system itself.
 */
#include "encodings/bes_of_graph.h"

#include "core/graph_column.h"
#include "core/graph_cursor.h"
#include "core/vec.h"

typedef struct copying {
    mem *m;
    const graph *g;
    progress *clock;
    bes *out;
    VEC(vertex_id) found; /* in the order of the search */
    uint32_t *number;     /* per vertex of the graph: its number in its block + 1 */
    uint32_t *in_block;   /* per block: how many were found */
    uint32_t *place;      /* per block: its place in the system */
    uint64_t edges;
    graph_charge charge;
} copying;

static int find(copying *c, vertex_id v, err *e)
{
    if (c->number[v] != 0) return 0;
    c->number[v] = ++c->in_block[graph_block_of(c->g, v)];
    return vec_push(c->m, &c->found, v, e);
}

static int tick(copying *c, size_t i, err *e)
{
    if (graph_charge_look(&c->charge, c->g, c->m, GRAPH_ITEMS_ANY, e) != 0)
        return (int)e->code;
    return i % 4096 ? 0 : progress_tick(c->clock, i, e);
}

static int search(copying *c, err *e)
{
    find(c, c->g->root, e);
    for (size_t i = 0; i < c->found.count && e->code == ERR_NONE; i++) {
        graph_cursor row;
        if (tick(c, i, e) != 0) break;
        graph_cursor_open(&row, c->g, c->found.at[i]);
        for (vertex_id z; e->code == ERR_NONE && graph_cursor_next(&row, &z); c->edges++)
            find(c, z, e);
    }
    return graph_trouble(c->g, e);
}

/* Blocks in order, the empty ones left out. */
static uint32_t place_blocks(copying *c)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < c->g->block_count; b++) {
        c->place[b] = count;
        count += c->in_block[b] > 0;
    }
    return count;
}

static void fill_blocks(copying *c)
{
    vertex_id begin = 0;
    for (uint32_t b = 0; b < c->g->block_count; b++) {
        if (c->in_block[b] == 0) continue;
        c->out->blocks[c->place[b]] = (bes_block){ .sign = c->g->blocks[b].sign,
                                                   .number = c->place[b],
                                                   .begin = begin,
                                                   .end = begin + c->in_block[b] };
        begin += c->in_block[b];
    }
}

/* A vertex of the graph in the system. */
static vertex_id image(const copying *c, vertex_id v)
{
    uint32_t b = graph_block_of(c->g, v);
    return c->out->blocks[c->place[b]].begin + c->number[v] - 1;
}

static void fill_row(copying *c, vertex_id from, vertex_id to, uint64_t *at)
{
    graph_cursor row;
    graph_cursor_open(&row, c->g, from);
    c->out->first[to] = *at;
    c->out->variable[to] = c->number[from] - 1;
    c->out->op[to] = (uint8_t)row.row.op;
    for (vertex_id z; graph_cursor_next(&row, &z);)
        c->out->operand[(*at)++] = image(c, z);
}

/* Rows by the numbers of the system: found vertices sorted by block, in place order. */
static int fill_rows(copying *c, err *e)
{
    vertex_id *sorted = mem_get_array(c->m, c->found.count, sizeof *sorted, e);
    uint64_t at = 0;
    if (sorted == NULL) return (int)e->code;
    for (size_t i = 0; i < c->found.count; i++)
        sorted[image(c, c->found.at[i])] = c->found.at[i];
    for (size_t i = 0; i < c->found.count && e->code == ERR_NONE; i++) {
        if (tick(c, i, e) != 0) break;
        fill_row(c, sorted[i], (vertex_id)i, &at);
    }
    c->out->first[c->found.count] = at;
    mem_put(c->m, sorted, c->found.count * sizeof *sorted);
    return (int)e->code;
}

static int copy(copying *c, err *e)
{
    if (search(c, e) != 0) return (int)e->code;
    uint32_t blocks = place_blocks(c);
    vertex_id vertices = (vertex_id)c->found.count;
    if (bes_open(c->out, c->m, blocks, vertices, c->edges, e) != 0) return (int)e->code;
    fill_blocks(c);
    fill_rows(c, e);
    if (graph_trouble(c->g, e) != 0) bes_close(c->out);
    return (int)e->code;
}

static int refuse_nested(const graph *g, err *e)
{
    for (uint32_t b = 0; b < g->block_count; b++)
        if (graph_is_nested(&g->blocks[b]))
            return err_set(e, ERR_REFUSED,
                           "block %u is of kind %s, which a .bes file cannot say", b,
                           graph_kind_name(&g->blocks[b]));
    return 0;
}

int bes_of_graph(bes *out, mem *m, const graph *g, progress *clock, err *e)
{
    copying c = { .m = m, .g = g, .clock = clock, .out = out };
    size_t column = 2 * (size_t)g->block_count;
    *out = (bes){ .m = NULL };
    if (refuse_nested(g, e) != 0) return (int)e->code;
    graph_charge_add(&c.charge, sizeof *c.number);
    c.number =
        graph_column_open(g, m, g->vertices, sizeof *c.number, GRAPH_COLUMN_DENSE, e);
    c.in_block = c.number ? mem_get_array(m, column, sizeof *c.in_block, e) : NULL;
    if (c.in_block) {
        c.place = c.in_block + g->block_count;
        copy(&c, e);
    }
    graph_column_close(g, m, c.number, g->vertices, sizeof *c.number);
    graph_charge_close(&c.charge, m);
    mem_put(m, c.in_block, column * sizeof *c.in_block);
    vec_release(m, &c.found);
    return (int)e->code;
}
