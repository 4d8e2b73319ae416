/*
 * enc_mcl - positions of a formula at states of a model.
 *
 * Idea       Vertex p * stride + s is position p at state s: positions of a block follow
 *            each other, so do its vertices.  A row is computed from the transitions of the
 *            state; nothing of it is stored.
 * Stride     An explicit model has so many states.  Of another nobody knows: it is as many as
 *            may get a number and could be kept in memory; the numbers of a position are then
 *            used from the first on, as states are met, and columns over them are address space.
 * Places     Where a row goes on: items of the position, each with as many places as the
 *            state has transitions, and one more.
 */
#include "encodings/enc_mcl.h"

#include "encodings/enc_mcl_site.h"

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

uint32_t enc_mcl_position_of(const enc_mcl *x, vertex_id v) { return v / x->stride; }

uint32_t enc_mcl_positions(const enc_mcl *x)
{
    return (uint32_t)x->program.positions.count;
}

vertex_id enc_mcl_vertex(const enc_mcl *x, uint32_t position, state_id s)
{
    return position * x->stride + s;
}

state_space *enc_mcl_space(const enc_mcl *x) { return x->space; }

label_id enc_mcl_labels(const enc_mcl *x, uint32_t action)
{
    return mcl_action_count(x->program.actions, action);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* What a self leads to, as far as that is known without its successors. */
static enc_mcl_known peek(const enc_mcl *x, const enc_mcl_item *it, const lts_row *r)
{
    if (!it->peek) return ENC_MCL_OPEN;
    return enc_mcl_peek(&x->program, &x->program.positions.at[it->position], r);
}

static void become_constant(graph_row *out, bool value)
{
    *out = (graph_row){ value ? GRAPH_AND : GRAPH_OR, 0, GRAPH_ROW_END };
}

/* Does a guard decide, or a self that is known?  Then the row is a constant. */
static bool decide(const enc_mcl *x, const enc_mcl_position *p, const lts_row *r,
                   graph_row *out)
{
    for (uint32_t i = p->guard; i < p->guard + p->guards; i++) {
        const enc_mcl_guard *t = &x->program.guards.at[i];
        bool value = enc_mcl_guard_value(&x->program, t, r);
        if (value != graph_absorbing(t->op)) continue;
        become_constant(out, value);
        return true;
    }
    enc_mcl_known decides = graph_absorbing(p->op) ? ENC_MCL_TRUE : ENC_MCL_FALSE;
    for (uint32_t i = p->item; i < p->item + p->items; i++) {
        if (peek(x, &x->program.items.at[i], r) != decides) continue;
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

/* Targets of transitions from t on that an item takes; returns where the room ended. */
static inline uint32_t take_steps(filling *f, const enc_mcl_item *it, const lts_row *r,
                                  uint32_t t)
{
    uint32_t end = r->count;
    if (it->set.all) {
        uint32_t left = f->room - f->count;
        uint32_t count = end - t > left ? left : end - t;
        add_base(f->to + f->count, r->target + t, count, it->base);
        f->count += count;
        return t + count;
    }
    for (; t < end && f->count < f->room; t++)
        if (mcl_action_has(it->set.bits, lts_row_label(r, t)))
            f->to[f->count++] = it->base + r->target[t];
    return t;
}

static void expand_items(const enc_mcl *x, const enc_mcl_position *p, state_id s,
                         const lts_row *r, graph_place place, filling f, graph_row *out)
{
    uint32_t places = r->count + 1;
    uint32_t i = place / places, done = place % places;
    for (; i < p->items && out->next == GRAPH_ROW_END; i++, done = 0) {
        const enc_mcl_item *it = &x->program.items.at[p->item + i];
        uint32_t t = r->count;
        if (it->step) t = take_steps(&f, it, r, done);
        else if (peek(x, it, r) != ENC_MCL_OPEN)
            continue; /* neutral, or it had decided */
        else if (f.count < f.room) f.to[f.count++] = it->base + s;
        else out->next = i * places;
        if (t < r->count) out->next = i * places + t;
    }
    out->count = f.count;
}

/* The first row of a position. */
static void begin_position(const enc_mcl *x, uint32_t position)
{
    enc_mcl_position *p = &x->program.positions.at[position];
    p->expanded = true;
    for (uint32_t i = p->item; x->used && i < p->item + p->items; i++)
        enc_mcl_lead_to(x, x->program.items.at[i].position);
}

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    const lts_row r = enc_mcl_row(x, s);
    if (!p->expanded) begin_position(x, (uint32_t)(p - x->program.positions.at));
    *out = (graph_row){ .op = p->op, .next = GRAPH_ROW_END };
    if (p->plain && r.count > 0 && r.count <= room && place == GRAPH_ROW_BEGIN) {
        out->count = r.count; /* the usual case, at the usual size, without ado */
        add_base(buffer, r.target, r.count, x->program.items.at[p->item].base);
        return;
    }
    if (g->trouble && g->trouble->code != ERR_NONE)
        return; /* an empty row says nothing */
    if (place == GRAPH_ROW_BEGIN && decide(x, p, &r, out)) return;
    expand_items(x, p, s, &r, place, (filling){ buffer, 0, room }, out);
}

static void fetch(const graph *g, vertex_id v, int stage)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    if (x->rows == NULL) {
        state_space_fetch(x->space, s, stage);
        return;
    }
    const uint64_t *first = &x->rows->first[s];
    if (stage == 0) {
        __builtin_prefetch(first);
        return;
    }
    __builtin_prefetch(&x->rows->target[*first]);
    if (p->reads_labels)
        __builtin_prefetch((const char *)x->rows->label + *first * x->rows->label_bytes);
}

/* The number of an explicit model's state, for people. */
static state_id number_of(const enc_mcl *x, state_id s)
{
    const enc_mcl_numbering *n = &x->number;
    return n->state_at ? n->state_at(n->places, x->first + s) : x->first + s;
}

static void name_of(const graph *g, vertex_id v, char *into, size_t bytes)
{
    const enc_mcl *x = encoding_of(g);
    state_id s;
    const enc_mcl_position *p = enc_mcl_locate(x, v, &s);
    const char *name = x->program.q->variables[p->variable].name;
    char state[96];
    snprintf(state, sizeof state, "%" PRIu32, number_of(x, s));
    if (x->rows == NULL && s < *g->met) /* its number says nothing */
        state_space_print(x->space, s, state, sizeof state);
    if (p->part == 0) snprintf(into, bytes, "%s at state %s", name, state);
    else
        snprintf(into, bytes, "part %" PRIu32 " of %s at state %s", p->part, name, state);
}

static const graph_class enc_mcl_class = {
    .name = "mcl",
    .expand = expand,
    .fetch = fetch,
    .name_of = name_of,
};

/* ---- life ------------------------------------------------------------------------------------- */

/* The longest list of alternatives, each of which has as many places in a row as the state
   has transitions, and one more. */
static uint64_t most_items(const enc_mcl *x)
{
    uint64_t items = 1;
    for (size_t i = 0; i < x->program.positions.count; i++)
        if (x->program.positions.at[i].items > items)
            items = x->program.positions.at[i].items;
    return items;
}

/* Positions and states must have numbers, and so must the places of every row. */
static int check_sizes(const enc_mcl *x, const lts *g, worker_id ranks, err *e)
{
    uint64_t positions = enc_mcl_positions(x), items = most_items(x);
    uint64_t degree = g->transitions, states = (uint64_t)g->states * ranks;
    if (states > VERTICES_MAX || positions * states > VERTICES_MAX)
        return err_set(e, ERR_LIMIT,
                       "%" PRIu64 " positions of the formula at %" PRIu64
                       " states; expected at most %u vertices",
                       positions, states, VERTICES_MAX);
    if (items * (degree + 1) >= GRAPH_ROW_END) degree = lts_longest_row(g);
    if (items * (degree + 1) < GRAPH_ROW_END) return 0;
    return err_set(e, ERR_LIMIT,
                   "a state has %" PRIu64 " transitions, too many for a formula with "
                   "%" PRIu64 " alternatives in one place",
                   degree, items);
}

/* Is there address space for the columns of so many states, in so many threads? */
static bool has_room(mem *m, uint64_t positions, worker_id threads, uint64_t states)
{
    enum { COLUMNS = 32 }; /* bytes per vertex: more than any solver, proof and checker */
    err ignored;
    ignored.code = ERR_NONE;
    void *place = mem_reserve(m, positions * threads, states * COLUMNS, false, &ignored);
    mem_unreserve(place, positions * threads, states * COLUMNS);
    return place != NULL;
}

/* Of so many states, how many may a thread have?  A hash deals them out, so hardly more than its
   share, unless they are few. */
static uint64_t share_of(uint64_t states, worker_id threads)
{
    uint64_t share = states / threads, more = share / 4 + 4096;
    return threads > 1 && share + more < states ? share + more : states;
}

state_id enc_mcl_capacity(const enc_mcl_program *p, const model *s, worker_id threads,
                          state_id wanted)
{
    enum { SLOT_BYTES = 6, NUMBERS = INT32_MAX }; /* more than a dependency can name */
    uint64_t positions = p->positions.count, most = NUMBERS / positions;
    uint64_t key_bytes = s->key_words * sizeof *s->initial;
    uint64_t kept = share_of(s->m->limit / (key_bytes + SLOT_BYTES), threads);
    if (s->m->limit != 0 && kept < most) most = kept;
    if (wanted != 0 && wanted < most) most = wanted;
    while (most > 1 && !has_room(s->m, positions, threads, most)) most /= 2;
    return most > 0 ? (state_id)most : 1;
}

static int open_rows(enc_mcl *x, const model *s, const enc_mcl_site *at, err *e)
{
    state_space_limits none = { .states = STATES_MAX };
    if (check_sizes(x, s->rows, at->ranks, e) != 0) return (int)e->code;
    x->rows = s->rows;
    x->stride = s->rows->states;
    x->first = at->rank * x->stride;
    x->number = at->number;
    return state_space_open(&x->space, s, &none, e);
}

/* Links of vertices elsewhere follow the numbers of our own; a move's place in its row is below
   the stride. */
static int check_capacity(const enc_mcl *x, const enc_mcl_site *at, err *e)
{
    uint64_t positions = enc_mcl_positions(x), vertices = positions * x->stride;
    if (at->workers == 1 || vertices <= INT32_MAX) return 0;
    return err_set(e, ERR_LIMIT,
                   "%" PRIu64 " positions of the formula at %" PRIu32
                   " states of a worker; expected at most %d vertices",
                   positions, x->stride, INT32_MAX);
}

static int open_states(enc_mcl *x, const model *s, const enc_mcl_options *o,
                       const enc_mcl_site *at, err *e)
{
    state_space_limits limits = { .clock = o->clock };
    limits.transitions = (uint32_t)((GRAPH_ROW_END - 1) / most_items(x) - 1);
    limits.states =
        at->workers > 1 ? o->capacity : enc_mcl_capacity(&x->program, s, 1, o->capacity);
    if (at->workers > 1 && limits.states < limits.transitions)
        limits.transitions = limits.states;
    x->stride = limits.states;
    state_space_share share = { at->self, at->workers, enc_mcl_positions(x) * x->stride };
    x->used = mem_get(x->program.m, sizeof *x->used, e);
    if (x->used == NULL || check_capacity(x, at, e) != 0 ||
        state_space_open_share(&x->space, s, &limits, &share, e) != 0)
        return (int)e->code;
    x->base.used = x->used;
    x->base.met = state_space_met(x->space);
    x->base.stride = x->stride;
    x->base.trouble = state_space_trouble(x->space);
    if (*x->base.met > 0) enc_mcl_lead_to(x, x->program.root);
    return 0;
}

static void number_program(enc_mcl *x, vertex_id origin)
{
    enc_mcl_program *p = &x->program;
    for (size_t i = 0; i < p->items.count; i++) {
        enc_mcl_item *it = &p->items.at[i];
        it->base = it->position * x->stride + (it->step ? 0 : origin);
    }
    for (uint32_t b = 0; b < p->q->block_count; b++) {
        p->blocks[b].begin *= x->stride;
        p->blocks[b].end *= x->stride;
        p->blocks[b].outer_end *= x->stride;
    }
}

static void number_vertices(enc_mcl *x, const enc_mcl_site *at)
{
    state_id initial = x->rows ? at->initial % x->stride : 0;
    x->base.vertices = enc_mcl_positions(x) * x->stride;
    if (at->like == NULL) number_program(x, at->rank * x->base.vertices);
    x->inverse = UINT64_MAX / x->stride;
    x->base.root = enc_mcl_vertex(x, x->program.root, initial);
    x->base.block_count = x->program.q->block_count;
    x->base.blocks = x->program.blocks;
}

static int open_program(enc_mcl *x, const mcl_equations *q, const model *s,
                        const enc_mcl_options *o, const enc_mcl_site *at, err *e)
{
    enc_mcl_program *p = &x->program;
    if (at->like) return enc_mcl_program_lend(p, &at->like->program, e);
    if (enc_mcl_program_open(p, q->m, q, s->labels, e) != 0) return (int)e->code;
    return enc_mcl_program_promise(p, o->acyclic, e);
}

int enc_mcl_open_at(enc_mcl **out, const mcl_equations *q, const model *s,
                    const enc_mcl_options *o, const enc_mcl_site *at, err *e)
{
    enc_mcl *x = mem_get(q->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->m = q->m;
    x->base.class = &enc_mcl_class;
    if (open_program(x, q, s, o, at, e) == 0 &&
        (s->rows ? open_rows(x, s, at, e) : open_states(x, s, o, at, e)) == 0) {
        number_vertices(x, at);
        *out = x;
    } else {
        enc_mcl_close(x);
    }
    return (int)e->code;
}

int enc_mcl_open(enc_mcl **out, const mcl_equations *q, const model *s,
                 const enc_mcl_options *o, err *e)
{
    enc_mcl_site whole = { .ranks = 1, .workers = 1 };
    if (s->rows) whole.initial = s->rows->initial;
    return enc_mcl_open_at(out, q, s, o, &whole, e);
}

void enc_mcl_close(enc_mcl *x)
{
    if (x == NULL) return;
    mem *m = x->m;
    state_space_close(x->space);
    mem_put(m, x->used, sizeof *x->used);
    enc_mcl_program_close(&x->program);
    mem_put(m, x, sizeof *x);
}

const graph *enc_mcl_graph(const enc_mcl *x) { return &x->base; }
