/*
 * enc_mcl - positions of a formula at states of a model.
 *
 * Idea       Vertex p * states + s is position p at state s: positions of a block follow
 *            each other, so do its vertices.  A row is computed from the transitions of the
 *            state; nothing of it is stored.
 * Places     Where a row goes on: items of the position, each with as many places as the
 *            state has transitions, and one more.
 */
#include "encodings/enc_mcl.h"

#include "encodings/enc_mcl_program.h"

#include <inttypes.h>
#include <stdio.h>

static const enc_mcl *encoding_of(const graph *g) { return (const enc_mcl *)g; }

/* ---- vertices ------------------------------------------------------------------------------ */

state_id enc_mcl_state(const enc_mcl *x, vertex_id v)
{
    state_id s;
    enc_mcl_locate(x, v, &s);
    return s;
}

label_id enc_mcl_labels(const enc_mcl *x, uint32_t action)
{
    return mcl_action_count(x->program.actions, action);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* What a self leads to, as far as that is known without its successors. */
static enc_mcl_known peek(const enc_mcl *x, const enc_mcl_item *it, state_id s)
{
    if (!it->peek) return ENC_MCL_OPEN;
    return enc_mcl_peek(&x->program, &x->program.positions.at[it->position], x->model, s);
}

static void become_constant(graph_row *out, bool value)
{
    *out = (graph_row){ value ? GRAPH_AND : GRAPH_OR, 0, GRAPH_ROW_END };
}

/* Does a guard decide, or a self that is known?  Then the row is a constant. */
static bool decide(const enc_mcl *x, const enc_mcl_position *p, state_id s,
                   graph_row *out)
{
    for (uint32_t i = p->guard; i < p->guard + p->guards; i++) {
        const enc_mcl_guard *t = &x->program.guards.at[i];
        bool value = enc_mcl_guard_value(&x->program, t, x->model, s);
        if (value != graph_absorbing(t->op)) continue;
        become_constant(out, value);
        return true;
    }
    enc_mcl_known decides = graph_absorbing(p->op) ? ENC_MCL_TRUE : ENC_MCL_FALSE;
    for (uint32_t i = p->item; i < p->item + p->items; i++) {
        if (peek(x, &x->program.items.at[i], s) != decides) continue;
        become_constant(out, decides == ENC_MCL_TRUE);
        return true;
    }
    return false;
}

/* A row as it is filled. */
typedef struct filling {
    vertex_id *to;
    uint32_t count, room;
} filling;

static inline void add_base(vertex_id *restrict to, const state_id *restrict from,
                            uint32_t count, vertex_id base)
{
    for (uint32_t i = 0; i < count; i++) to[i] = base + from[i];
}

/* Targets of transitions t .. end-1 that an item takes; returns where the room ended. */
static inline uint64_t take_steps(filling *f, const enc_mcl_item *it, const lts *g,
                                  uint64_t t, uint64_t end)
{
    if (it->set.all) {
        uint32_t left = f->room - f->count;
        uint32_t count = end - t > left ? left : (uint32_t)(end - t);
        add_base(f->to + f->count, g->target + t, count, it->base);
        f->count += count;
        return t + count;
    }
    for (; t < end && f->count < f->room; t++)
        if (mcl_action_has(it->set.bits, lts_label(g, t)))
            f->to[f->count++] = it->base + g->target[t];
    return t;
}

static void expand_items(const enc_mcl *x, const enc_mcl_position *p, state_id s,
                         graph_place place, filling f, graph_row *out)
{
    uint64_t first = x->model->first[s], end = x->model->first[s + 1];
    uint32_t places = (uint32_t)(end - first) + 1;
    uint32_t i = place / places, done = place % places;
    for (; i < p->items && out->next == GRAPH_ROW_END; i++, done = 0) {
        const enc_mcl_item *it = &x->program.items.at[p->item + i];
        uint64_t t = end;
        if (it->step) t = take_steps(&f, it, x->model, first + done, end);
        else if (peek(x, it, s) != ENC_MCL_OPEN)
            continue; /* neutral, or it had decided */
        else if (f.count < f.room) f.to[f.count++] = it->base + s;
        else out->next = i * places;
        if (t < end) out->next = i * places + (uint32_t)(t - first);
    }
    out->count = f.count;
}

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    *out = (graph_row){ .op = p->op, .next = GRAPH_ROW_END };
    if (p->plain) { /* the usual case, at the usual size, without ado */
        uint64_t first = x->model->first[s], degree = x->model->first[s + 1] - first;
        if (degree > 0 && degree <= room && place == GRAPH_ROW_BEGIN) {
            out->count = (uint32_t)degree;
            add_base(buffer, x->model->target + first, out->count,
                     x->program.items.at[p->item].base);
            return;
        }
    }
    if (place == GRAPH_ROW_BEGIN && decide(x, p, s, out)) return;
    expand_items(x, p, s, place, (filling){ buffer, 0, room }, out);
}

static void fetch(const graph *g, vertex_id v, int stage)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    const uint64_t *first = &x->model->first[s];
    if (stage == 0) {
        __builtin_prefetch(first);
        return;
    }
    __builtin_prefetch(&x->model->target[*first]);
    if (p->reads_labels)
        __builtin_prefetch((const char *)x->model->label +
                           *first * x->model->label_bytes);
}

static void name_of(const graph *g, vertex_id v, char *into, size_t bytes)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    const char *name = x->program.q->variables[p->variable].name;
    if (p->part == 0) snprintf(into, bytes, "%s at state %" PRIu32, name, s);
    else
        snprintf(into, bytes, "part %" PRIu32 " of %s at state %" PRIu32, p->part, name,
                 s);
}

static const graph_class enc_mcl_class = {
    .name = "mcl",
    .expand = expand,
    .fetch = fetch,
    .name_of = name_of,
};

/* ---- life ------------------------------------------------------------------------------------- */

/* Positions and states must have numbers, and so must the places of every row. */
static int check_sizes(const enc_mcl *x, err *e)
{
    const lts *g = x->model;
    uint64_t positions = x->program.positions.count, items = 0, degree = g->transitions;
    if (positions * g->states > VERTICES_MAX)
        return err_set(e, ERR_LIMIT,
                       "%" PRIu64 " positions of the formula at %" PRIu32
                       " states; expected at most %u vertices",
                       positions, g->states, VERTICES_MAX);
    for (size_t i = 0; i < positions; i++)
        if (x->program.positions.at[i].items > items)
            items = x->program.positions.at[i].items;
    if (items * (degree + 1) >= GRAPH_ROW_END) {
        degree = 0;
        for (state_id s = 0; s < g->states; s++)
            if (g->first[s + 1] - g->first[s] > degree)
                degree = g->first[s + 1] - g->first[s];
    }
    if (items * (degree + 1) < GRAPH_ROW_END) return 0;
    return err_set(e, ERR_LIMIT,
                   "a state has %" PRIu64 " transitions, too many for a formula with "
                   "%" PRIu64 " alternatives in one place",
                   degree, items);
}

static void number_vertices(enc_mcl *x)
{
    enc_mcl_program *p = &x->program;
    state_id states = x->model->states;
    for (size_t i = 0; i < p->items.count; i++)
        p->items.at[i].base = p->items.at[i].position * states;
    for (uint32_t b = 0; b < p->q->block_count; b++) {
        p->blocks[b].begin *= states;
        p->blocks[b].end *= states;
        p->blocks[b].outer_end *= states;
    }
    x->inverse = UINT64_MAX / states;
    x->base.root = p->root * states + x->model->initial;
    x->base.vertices = (vertex_id)p->positions.count * states;
    x->base.block_count = p->q->block_count;
    x->base.blocks = p->blocks;
}

int enc_mcl_open(enc_mcl **out, const mcl_equations *q, const lts *model,
                 const enc_mcl_options *o, err *e)
{
    enc_mcl *x = mem_get(q->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->base.class = &enc_mcl_class;
    x->model = model;
    if (enc_mcl_program_open(&x->program, q->m, q, model, e) == 0 &&
        enc_mcl_program_promise(&x->program, o->acyclic, e) == 0 &&
        check_sizes(x, e) == 0) {
        number_vertices(x);
        *out = x;
        return 0;
    }
    x->program.q = q;
    enc_mcl_close(x);
    return (int)e->code;
}

void enc_mcl_close(enc_mcl *x)
{
    if (x == NULL) return;
    mem *m = x->program.q->m;
    enc_mcl_program_close(&x->program);
    mem_put(m, x, sizeof *x);
}

const graph *enc_mcl_graph(const enc_mcl *x) { return &x->base; }
