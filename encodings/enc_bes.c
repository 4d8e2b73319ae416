#include "encodings/enc_bes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct enc_bes {
    graph base; /* first: a graph of ours is this */
    const bes *b;
    graph_block *blocks; /* owned; room for all of b */
    uint32_t *place;     /* owned; per block of the graph: its place in b */
};

/* ---- the graph ------------------------------------------------------------------------- */

static const bes *system_of(const graph *g) { return ((const enc_bes *)g)->b; }

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const bes *b = system_of(g);
    uint64_t from = b->first[v] + place, left = b->first[v + 1] - from;
    out->op = (graph_op)b->op[v];
    out->count = left < room ? (uint32_t)left : room;
    out->next = left <= room ? GRAPH_ROW_END : place + room;
    memcpy(buffer, &b->operand[from], out->count * sizeof *buffer);
}

static void fetch(const graph *g, vertex_id v, int stage)
{
    const bes *b = system_of(g);
    if (stage > 0) {
        __builtin_prefetch(&b->operand[b->first[v]]);
        return;
    }
    __builtin_prefetch(&b->first[v]);
    __builtin_prefetch(&b->op[v]);
}

static void name_of(const graph *g, vertex_id v, char *into, size_t bytes)
{
    const bes *b = system_of(g);
    snprintf(into, bytes, "X%" PRIu32 "_%" PRIu32, b->variable[v],
             b->blocks[bes_block_of(b, v)].number);
}

static void name_block(const graph *g, uint32_t block, char *into, size_t bytes)
{
    const enc_bes *x = (const enc_bes *)g;
    snprintf(into, bytes, "B%" PRIu32, x->b->blocks[x->place[block]].number);
}

static const graph_class enc_bes_class = {
    .name = "bes",
    .expand = expand,
    .fetch = fetch,
    .name_of = name_of,
    .name_block = name_block,
};

/* ---- which blocks ------------------------------------------------------------------------ */

/* Reachable blocks only; an edge leads to a later one, so one pass finds them. */
static int take_blocks(enc_bes *x, err *e)
{
    const bes *b = x->b;
    uint32_t first = bes_block_of(b, x->base.root);
    uint8_t *reached = mem_get(b->m, b->block_count, e);
    if (reached == NULL) return (int)e->code;
    reached[first] = 1;
    for (uint32_t k = first; k < b->block_count; k++) {
        const bes_block *from = &b->blocks[k];
        if (!reached[k]) continue;
        for (uint64_t i = b->first[from->begin]; i < b->first[from->end]; i++)
            if (b->operand[i] >= from->end) reached[bes_block_of(b, b->operand[i])] = 1;
        x->place[x->base.block_count] = k;
        x->blocks[x->base.block_count++] =
            (graph_block){ .sign = from->sign, .begin = from->begin, .end = from->end };
    }
    mem_put(b->m, reached, b->block_count);
    return 0;
}

/* ---- what can be promised ------------------------------------------------------------------ */

static void look_at_vertex(graph_shape *s, const bes *b, const graph_block *k,
                           vertex_id v)
{
    vertex_id inside = VERTEX_NONE;
    for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++) {
        vertex_id z = b->operand[i];
        s->leads[b->op[v]] = true;
        if (z >= k->end) continue;
        if (inside != VERTEX_NONE && inside != z) s->many[b->op[v]] = true;
        inside = z;
    }
}

static void promise_shapes(enc_bes *x)
{
    for (uint32_t k = 0; k < x->base.block_count; k++) {
        graph_shape s = { .many = { false } };
        graph_block *block = &x->blocks[k];
        for (vertex_id v = block->begin; v < block->end; v++)
            look_at_vertex(&s, x->b, block, v);
        block->promise |= graph_shape_promise(&s, block->sign);
    }
}

/* Acyclic: take away what nothing in the block leads to, until nothing is left. */
static bool is_acyclic(const bes *b, const graph_block *k, uint32_t *entering,
                       vertex_id *queue)
{
    vertex_id head = 0, tail = 0;
    for (uint64_t i = b->first[k->begin]; i < b->first[k->end]; i++)
        if (b->operand[i] < k->end) entering[b->operand[i]]++;
    for (vertex_id v = k->begin; v < k->end; v++)
        if (entering[v] == 0) queue[tail++] = v;
    while (head < tail) {
        vertex_id v = queue[head++];
        for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++)
            if (b->operand[i] < k->end && --entering[b->operand[i]] == 0)
                queue[tail++] = b->operand[i];
    }
    return tail == k->end - k->begin;
}

/* One vertex that is the root, or referred to from another block, and no second one. */
static bool is_single_entry(const graph_block *k, const uint8_t *entry)
{
    uint32_t entries = 0;
    for (vertex_id v = k->begin; v < k->end; v++) entries += entry[v];
    return entries == 1;
}

static void mark_entries(const enc_bes *x, uint8_t *entry)
{
    const bes *b = x->b;
    entry[x->base.root] = 1;
    for (uint32_t n = 0; n < x->base.block_count; n++) {
        const graph_block *k = &x->blocks[n];
        for (uint64_t i = b->first[k->begin]; i < b->first[k->end]; i++)
            if (b->operand[i] >= k->end) entry[b->operand[i]] = 1;
    }
}

static int promise_acyclic(enc_bes *x, err *e)
{
    const bes *b = x->b;
    uint32_t *entering = mem_get_array(b->m, b->vertices, sizeof *entering, e);
    vertex_id *queue =
        entering ? mem_get_array(b->m, b->vertices, sizeof *queue, e) : NULL;
    for (uint32_t k = 0; queue && k < x->base.block_count; k++)
        if (is_acyclic(b, &x->blocks[k], entering, queue))
            x->blocks[k].promise |= GRAPH_ACYCLIC;
    mem_put(b->m, entering, b->vertices * sizeof *entering);
    mem_put(b->m, queue, b->vertices * sizeof *queue);
    return (int)e->code;
}

static int promise_entries(enc_bes *x, err *e)
{
    uint8_t *entry = mem_get(x->b->m, x->b->vertices, e);
    if (entry == NULL) return (int)e->code;
    mark_entries(x, entry);
    for (uint32_t k = 0; k < x->base.block_count; k++)
        if (is_single_entry(&x->blocks[k], entry))
            x->blocks[k].promise |= GRAPH_SINGLE_ENTRY;
    mem_put(x->b->m, entry, x->b->vertices);
    return 0;
}

/* ---- life ------------------------------------------------------------------------------ */

static int fill(enc_bes *x, bool any_vertex, err *e)
{
    const bes *b = x->b;
    x->blocks = mem_get_array(b->m, b->block_count, sizeof *x->blocks, e);
    if (x->blocks) x->place = mem_get_array(b->m, b->block_count, sizeof *x->place, e);
    if (x->place == NULL || take_blocks(x, e) != 0) return (int)e->code;
    x->base.blocks = x->blocks;
    promise_shapes(x);
    if (promise_acyclic(x, e) != 0 || any_vertex) return (int)e->code;
    return promise_entries(x, e);
}

int enc_bes_open(enc_bes **out, const bes *b, const enc_bes_options *o, err *e)
{
    enc_bes *x = mem_get(b->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->b = b;
    x->base =
        (graph){ .class = &enc_bes_class, .root = o->root, .vertices = b->vertices };
    if (fill(x, o->any_vertex, e) == 0) *out = x;
    else enc_bes_close(x);
    return (int)e->code;
}

void enc_bes_close(enc_bes *x)
{
    if (x == NULL) return;
    const bes *b = x->b;
    mem_put(b->m, x->blocks, b->block_count * sizeof *x->blocks);
    mem_put(b->m, x->place, b->block_count * sizeof *x->place);
    mem_put(b->m, x, sizeof *x);
}

const graph *enc_bes_graph(const enc_bes *x) { return &x->base; }
