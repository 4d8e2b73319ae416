/*
 * enc_bes_part - the vertices of an equation system, dealt out.
 *
 * Idea       Number n of worker w has the link w * share + n.  Within a block a worker's vertices
 *            are numbered as they stand in the system; a block has as many numbers as the
 *            worker with most of its vertices needs, so that it is the same range for all.
 * Cost       One pass over the vertices that the root may depend on; two tables, from vertices
 *            to links and back, which all parts share.  A row is translated when it is asked for.
 */
#include "encodings/enc_bes_part.h"

#include "core/hash.h"

#include <inttypes.h>

typedef struct bes_part {
    graph base; /* first: a graph of ours is this */
    graph_part part;
    const enc_bes_parts *all;
} bes_part;

struct enc_bes_parts {
    const bes *b;
    enc_bes *whole; /* owned: blocks, promises, names */
    worker_id workers;
    vertex_id share;
    vertex_link *link;   /* owned; of every vertex, or VERTEX_NONE */
    vertex_id *vertex;   /* owned; of every link, or VERTEX_NONE */
    graph_block *blocks; /* owned; as many as the whole graph has */
    bes_part *parts;     /* owned; one per worker */
};

/* ---- the graph of a worker --------------------------------------------------------------- */

static const bes_part *part_of(const graph *g) { return (const bes_part *)g; }

static vertex_id whole_vertex(const bes_part *p, vertex_id v)
{
    return p->all->vertex[p->part.origin + v];
}

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const bes_part *p = part_of(g);
    const graph *whole = enc_bes_graph(p->all->whole);
    graph_expand(whole, whole_vertex(p, v), place, buffer, room, out);
    for (uint32_t i = 0; i < out->count; i++) buffer[i] = p->all->link[buffer[i]];
}

static void fetch(const graph *g, vertex_id v, int stage)
{
    const bes_part *p = part_of(g);
    if (stage == 0) __builtin_prefetch(&p->all->vertex[p->part.origin + v]);
    else graph_fetch(enc_bes_graph(p->all->whole), whole_vertex(p, v), 0);
}

static void name_of(const graph *g, vertex_id v, char *into, size_t bytes)
{
    const bes_part *p = part_of(g);
    const graph *whole = enc_bes_graph(p->all->whole);
    whole->class->name_of(whole, whole_vertex(p, v), into, bytes);
}

static void name_block(const graph *g, uint32_t block, char *into, size_t bytes)
{
    graph_name_block(enc_bes_graph(part_of(g)->all->whole), block, into, bytes);
}

static const graph_class enc_bes_part_graph = {
    .name = "bes",
    .expand = expand,
    .fetch = fetch,
    .name_of = name_of,
    .name_block = name_block,
};

static const graph_part_class enc_bes_part_class = { .name = "bes" };

/* ---- numbers ----------------------------------------------------------------------------- */

static worker_id owner_of(const enc_bes_part_options *o, vertex_id v)
{
    if (o->owner) return o->owner[v];
    return hash_spread(hash_word(v + UINT64_C(1)), o->workers);
}

/* The vertices of a block get their numbers on their owners, from `begin` on; returns where the
   range ends.  `count` is scratch, one per worker. */
static uint64_t number_block(enc_bes_parts *x, const graph_block *k, uint64_t begin,
                             const enc_bes_part_options *o, vertex_id *count)
{
    vertex_id most = 0;
    for (worker_id w = 0; w < x->workers; w++) count[w] = 0;
    for (vertex_id v = k->begin; v < k->end; v++) {
        worker_id w = owner_of(o, v);
        x->link[v] = (vertex_id)begin + count[w]++; /* on its worker, for now */
        if (count[w] > most) most = count[w];
    }
    return begin + most;
}

static int number_vertices(enc_bes_parts *x, const enc_bes_part_options *o, err *e)
{
    const graph *whole = enc_bes_graph(x->whole);
    vertex_id *count = mem_get_array(x->b->m, x->workers, sizeof *count, e);
    uint64_t share = 0;
    if (count == NULL) return (int)e->code;
    for (uint32_t k = 0; k < whole->block_count; k++) {
        x->blocks[k] = whole->blocks[k];
        x->blocks[k].begin = (vertex_id)share;
        share = number_block(x, &whole->blocks[k], share, o, count);
        x->blocks[k].end = (vertex_id)share;
    }
    mem_put(x->b->m, count, x->workers * sizeof *count);
    if (share * x->workers > VERTICES_MAX)
        return err_set(e, ERR_LIMIT,
                       "%" PRIu32 " workers with up to %" PRIu64
                       " vertices each; expected at most %u in all",
                       x->workers, share, VERTICES_MAX);
    x->share = (vertex_id)share;
    return 0;
}

static size_t links(const enc_bes_parts *x) { return (size_t)x->workers * x->share; }

/* From numbers to links, and the way back. */
static int link_vertices(enc_bes_parts *x, const enc_bes_part_options *o, err *e)
{
    const graph *whole = enc_bes_graph(x->whole);
    x->vertex = mem_get_array(x->b->m, links(x), sizeof *x->vertex, e);
    if (x->vertex == NULL) return (int)e->code;
    for (size_t i = 0; i < links(x); i++) x->vertex[i] = VERTEX_NONE;
    for (uint32_t k = 0; k < whole->block_count; k++)
        for (vertex_id v = whole->blocks[k].begin; v < whole->blocks[k].end; v++) {
            x->link[v] += owner_of(o, v) * x->share;
            x->vertex[x->link[v]] = v;
        }
    return 0;
}

/* ---- life -------------------------------------------------------------------------------- */

static void fill_part(enc_bes_parts *x, worker_id w)
{
    bes_part *p = &x->parts[w];
    vertex_link root = x->link[enc_bes_graph(x->whole)->root];
    p->all = x;
    p->base = (graph){ .class = &enc_bes_part_graph,
                       .root = root % x->share,
                       .vertices = x->share,
                       .block_count = enc_bes_graph(x->whole)->block_count,
                       .blocks = x->blocks };
    p->part = (graph_part){ .class = &enc_bes_part_class,
                            .g = &p->base,
                            .self = w,
                            .workers = x->workers,
                            .root_owner = root / x->share,
                            .origin = w * x->share,
                            .share = x->share,
                            .wire_words = 1,
                            .ranks = x->workers,
                            .threads = 1,
                            .stride = x->share,
                            .unit = 1 };
    graph_part_measure(&p->part);
}

static int fill(enc_bes_parts *x, const enc_bes_part_options *o, err *e)
{
    const bes *b = x->b;
    if (enc_bes_open(&x->whole, b, &o->question, e) != 0) return (int)e->code;
    x->link = mem_get_array(b->m, b->vertices, sizeof *x->link, e);
    if (x->link)
        x->blocks = mem_get_array(b->m, enc_bes_graph(x->whole)->block_count,
                                  sizeof *x->blocks, e);
    if (x->blocks) x->parts = mem_get_array(b->m, x->workers, sizeof *x->parts, e);
    if (x->parts == NULL) return (int)e->code;
    for (vertex_id v = 0; v < b->vertices; v++) x->link[v] = VERTEX_NONE;
    if (number_vertices(x, o, e) != 0 || link_vertices(x, o, e) != 0) return (int)e->code;
    for (worker_id w = 0; w < x->workers; w++) fill_part(x, w);
    return 0;
}

int enc_bes_part_open(enc_bes_parts **out, const bes *b, const enc_bes_part_options *o,
                      err *e)
{
    enc_bes_parts *x = mem_get(b->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->b = b;
    x->workers = o->workers;
    if (fill(x, o, e) == 0) *out = x;
    else enc_bes_part_close(x);
    return (int)e->code;
}

void enc_bes_part_close(enc_bes_parts *x)
{
    if (x == NULL) return;
    const bes *b = x->b;
    if (x->blocks)
        mem_put(b->m, x->blocks,
                enc_bes_graph(x->whole)->block_count * sizeof *x->blocks);
    mem_put(b->m, x->link, b->vertices * sizeof *x->link);
    mem_put(b->m, x->vertex, links(x) * sizeof *x->vertex);
    mem_put(b->m, x->parts, x->workers * sizeof *x->parts);
    enc_bes_close(x->whole);
    mem_put(b->m, x, sizeof *x);
}

graph_part *enc_bes_part_of(enc_bes_parts *x, worker_id w) { return &x->parts[w].part; }

vertex_link enc_bes_part_link(const enc_bes_parts *x, vertex_id v) { return x->link[v]; }

vertex_id enc_bes_part_vertex(const enc_bes_parts *x, vertex_link link)
{
    return x->vertex[link];
}

void enc_bes_part_wire(const void *parts, vertex_id v, uint32_t *wire)
{
    *wire = enc_bes_part_link(parts, v);
}
