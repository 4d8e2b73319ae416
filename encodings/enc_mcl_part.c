/*
 * enc_mcl_part - the vertices of a formula over a model, dealt out.
 *
 * Idea       A part is the encoding as ever; only where a row leads is a link.  Vertex n of rank
 *            r has the link r * share + n, share = positions * range.  So the targets in the rows
 *            of a rank are moved once, by share - range for each rank before theirs, and self
 *            items begin at the rank's origin: rows cost what they did.  In a keyed part move i
 *            of a row that leads elsewhere is state share + i to position 0.
 * Threads    Each has an encoding of its own, with a program that is lent but for the account of
 *            its positions, so nothing that changes is shared.
 */
#include "encodings/enc_mcl_part.h"

#include "encodings/enc_mcl_site.h"

#include <assert.h>
#include <string.h>

typedef struct mcl_part {
    graph_part part; /* first */
    enc_mcl *x;      /* owned */
} mcl_part;

struct enc_mcl_parts {
    mem *m;
    enc_mcl_part_options o;
    model rows;       /* of numbered parts: the rank's rows */
    vertex_id linked; /* numbers of a rank while targets are links, else 0 */
    mcl_part *parts;  /* owned; one per thread */
};

/* ---- vertices elsewhere -------------------------------------------------------------------- */

static const enc_mcl *encoding_of(const graph_part *p)
{
    return ((const mcl_part *)p)->x;
}

/* The position of a link, and its move in the row. */
static uint32_t split_link(const graph_part *p, vertex_link to, uint32_t *move)
{
    uint32_t position = graph_part_divide(to - p->share, p->stride_inverse);
    *move = to - p->share - position * p->stride;
    return position;
}

static worker_id owner(const graph_part *p, vertex_link to)
{
    uint32_t move;
    split_link(p, to, &move);
    return state_space_target_owner(encoding_of(p)->space, move);
}

static void pack(const graph_part *p, vertex_link to, uint32_t *wire)
{
    uint32_t move;
    wire[0] = split_link(p, to, &move);
    memcpy(wire + 1, state_space_target_key(encoding_of(p)->space, move),
           (p->wire_words - 1) * sizeof *wire);
}

/* The position that a wire form begins with; UINT32_MAX: there is none. */
static uint32_t position_at(const enc_mcl *x, const char *wire)
{
    uint32_t position;
    memcpy(&position, wire, sizeof position);
    return position < enc_mcl_positions(x) ? position : UINT32_MAX;
}

static int check_positions(const enc_mcl *x, const char *wire, size_t stride,
                           uint32_t count, err *e)
{
    for (uint32_t i = 0; i < count; i++)
        if (position_at(x, wire + i * stride) == UINT32_MAX)
            return err_set(
                e, ERR_SYSTEM,
                "a message names a position that the formula has not: damaged on "
                "its way, or not the same formula everywhere");
    return 0;
}

static int unpack(graph_part *p, const void *wire, size_t stride, uint32_t count,
                  vertex_id *out, err *e)
{
    const enc_mcl *x = encoding_of(p);
    const char *at = wire;
    if (check_positions(x, at, stride, count, e) != 0 ||
        state_space_meet(x->space, at + sizeof(uint32_t), stride, count, out, e) != 0)
        return (int)e->code;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position = position_at(x, at + i * stride);
        enc_mcl_lead_to(x, position);
        out[i] = enc_mcl_vertex(x, position, out[i]);
    }
    return 0;
}

/* The wire form of a vertex at a state whose key the encoding's own space has. */
static void wire_of(const enc_mcl *x, vertex_id v, uint32_t *wire)
{
    state_id s;
    enc_mcl_locate(x, v, &s);
    wire[0] = enc_mcl_position_of(x, v);
    state_space_copy_key(x->space, s, wire + 1);
}

static void wire_own(const graph_part *p, vertex_id local, uint32_t *wire)
{
    wire_of(encoding_of(p), local, wire);
}

static const graph_part_class keyed = {
    .name = "mcl, keyed", .owner = owner, .pack = pack, .unpack = unpack, .wire = wire_own
};

static const graph_part_class numbered = { .name = "mcl, numbered" };

/* ---- rows of a rank ------------------------------------------------------------------------ */

/* Number n of rank r is r * from + n in the rows, and shall be r * to + n. */
static void move_targets(lts *rows, vertex_id from, vertex_id to)
{
    uint64_t inverse = graph_part_inverse(from);
    for (uint64_t t = 0; t < rows->transitions; t++) {
        uint32_t rank = graph_part_divide(rows->target[t], inverse);
        rows->target[t] += rank * (to - from);
    }
}

/* ---- life ---------------------------------------------------------------------------------- */

static enc_mcl_site site_of(const enc_mcl_parts *x, worker_id thread)
{
    const enc_mcl_part_options *o = &x->o;
    enc_mcl_site at = { .ranks = 1, .workers = 1 };
    if (o->rows) {
        at.rank = o->rank, at.ranks = o->ranks;
        at.initial = o->initial, at.number = o->number;
    } else {
        at.self = o->rank * o->threads + thread, at.workers = o->ranks * o->threads;
    }
    at.like = thread > 0 ? x->parts[0].x : NULL;
    return at;
}

/* What all parts have in common. */
static graph_part begin_part(const enc_mcl_parts *x, worker_id thread)
{
    const enc_mcl_part_options *o = &x->o;
    const enc_mcl *encoding = x->parts[thread].x;
    return (graph_part){ .g = &encoding->base,
                         .self = o->rank * o->threads + thread,
                         .workers = o->ranks * o->threads,
                         .share = encoding->base.vertices,
                         .ranks = o->ranks,
                         .threads = o->threads,
                         .stride = encoding->stride,
                         .unit = o->rows ? o->unit : 1,
                         .wire_words = 1 };
}

static void fill_numbered(const enc_mcl_parts *x, graph_part *p)
{
    const enc_mcl_part_options *o = &x->o;
    p->class = &numbered;
    p->origin = o->rank * p->share;
    graph_part_measure(p);
    p->root_owner = graph_part_owner(p, o->initial / p->stride * p->share + p->g->root);
}

static void fill_keyed(const enc_mcl_parts *x, graph_part *p)
{
    const model *s = x->o.model;
    p->class = &keyed;
    p->wire_words = 1 + s->key_words;
    p->root_owner = state_space_owner(encoding_of(p)->space, s->initial);
    graph_part_measure(p);
}

static int open_thread(enc_mcl_parts *x, const mcl_equations *q, worker_id thread, err *e)
{
    const enc_mcl_part_options *o = &x->o;
    const model *s = o->rows ? &x->rows : o->model;
    enc_mcl_options options = { o->acyclic, o->capacity, thread == 0 ? o->clock : NULL };
    enc_mcl_site at = site_of(x, thread);
    mcl_part *p = &x->parts[thread];
    if (enc_mcl_open_at(&p->x, q, s, &options, &at, e) != 0) return (int)e->code;
    p->part = begin_part(x, thread);
    if (o->rows) fill_numbered(x, &p->part);
    else fill_keyed(x, &p->part);
    return 0;
}

static int open_threads(enc_mcl_parts *x, const mcl_equations *q, err *e)
{
    x->parts = mem_get_array(x->m, x->o.threads, sizeof *x->parts, e);
    for (worker_id t = 0; x->parts && e->code == ERR_NONE && t < x->o.threads; t++)
        open_thread(x, q, t, e);
    return (int)e->code;
}

int enc_mcl_part_open(enc_mcl_parts **out, const mcl_equations *q,
                      const enc_mcl_part_options *o, err *e)
{
    assert((o->rows == NULL) != (o->model == NULL) && (o->rows == NULL || o->unit > 0));
    enc_mcl_parts *x = mem_get(q->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->m = q->m, x->o = *o;
    if (o->rows)
        x->rows = (model){
            .m = o->rows->m, .key_words = 1, .labels = o->rows->labels, .rows = o->rows
        };
    if (open_threads(x, q, e) != 0) {
        enc_mcl_part_close(x);
        return (int)e->code;
    }
    if (o->rows && o->ranks > 1) {
        x->linked = x->parts[0].part.share;
        move_targets(o->rows, o->rows->states, x->linked);
    }
    *out = x;
    return 0;
}

void enc_mcl_part_close(enc_mcl_parts *x)
{
    if (x == NULL) return;
    mem *m = x->m;
    if (x->linked) move_targets(x->o.rows, x->linked, x->o.rows->states);
    for (worker_id t = x->o.threads; x->parts && t-- > 0;) enc_mcl_close(x->parts[t].x);
    mem_put(m, x->parts, x->o.threads * sizeof *x->parts);
    mem_put(m, x, sizeof *x);
}

graph_part *enc_mcl_part_of(enc_mcl_parts *x, worker_id thread)
{
    return &x->parts[thread].part;
}

const enc_mcl *enc_mcl_part_encoding(const enc_mcl_parts *x, worker_id thread)
{
    return x->parts[thread].x;
}

int enc_mcl_part_capacity(state_id *out, const mcl_equations *q, const model *s,
                          worker_id threads, state_id wanted, err *e)
{
    enc_mcl_program p;
    if (enc_mcl_program_open(&p, q->m, q, s->labels, e) == 0)
        *out = enc_mcl_capacity(&p, s, threads, wanted);
    enc_mcl_program_close(&p);
    return (int)e->code;
}

void enc_mcl_part_wire(const void *names, vertex_id v, uint32_t *wire)
{
    const enc_mcl_part_names *n = names;
    const graph_part *p = n->part;
    if (!graph_part_is_numbered(p)) {
        wire_of(n->whole, v, wire);
        return;
    }
    state_id s = enc_mcl_state(n->whole, v);
    state_id place = n->places ? distribution_place(n->places, s) : s;
    uint32_t rank = place / p->stride;
    *wire = rank * p->share + enc_mcl_position_of(n->whole, v) * p->stride +
            place % p->stride;
}
