/*
 * enc_mcl_promise - what is known of the blocks of a formula, whatever the model.
 *
 * Idea       A step may lead to many states, a self to one.  So the shape of all rows of a
 *            position is known without the model.  A block is entered at one vertex only if
 *            one of its positions is, and that only from positions that are met at the initial
 *            state and nowhere else.
 */
#include "encodings/enc_mcl_program.h"

static enc_mcl_position *at(const enc_mcl_program *p, uint32_t number)
{
    return &p->positions.at[number];
}

/* A position that merely leads on may be an or as well as an and. */
static bool leads_on(const enc_mcl_program *p, const enc_mcl_position *x)
{
    return x->items == 1 && !p->items.at[x->item].step;
}

static void look_at_position(graph_shape *s, const enc_mcl_program *p,
                             const enc_mcl_position *x)
{
    uint32_t inside = 0;
    for (uint32_t i = x->item; i < x->item + x->items; i++) {
        const enc_mcl_item *to = &p->items.at[i];
        if (at(p, to->position)->block == x->block) inside += to->step ? 2 : 1;
    }
    s->leads[x->op] |= x->items > 0;
    s->many[x->op] |= inside > 1;
}

/* Where nothing else decides, or in a buchi block and and in a cobuchi one: so they have a
   solver. */
static void promise_shape(enc_mcl_program *p, graph_block *b)
{
    graph_shape s = { .many = { false } };
    bool cobuchi = graph_is_nested(b) && b->sign == GRAPH_MU;
    for (uint32_t i = b->begin; i < b->end; i++)
        if (!leads_on(p, at(p, i))) look_at_position(&s, p, at(p, i));
    bool is_and = (s.leads[GRAPH_AND] || cobuchi) && !s.leads[GRAPH_OR];
    graph_op op = is_and ? GRAPH_AND : GRAPH_OR;
    for (uint32_t i = b->begin; i < b->end; i++)
        if (leads_on(p, at(p, i))) {
            at(p, i)->op = op;
            look_at_position(&s, p, at(p, i));
        }
    if (graph_is_nested(b)) /* all of it may be constants */
        s.leads[cobuchi ? GRAPH_AND : GRAPH_OR] = true;
    b->promise |= graph_shape_promise(&s, b->sign);
}

/* ---- where positions are met -------------------------------------------------------------- */

typedef enum { NOWHERE, INITIALLY, ANYWHERE } meeting;

typedef struct tracing {
    const enc_mcl_program *p;
    uint8_t *met;       /* per position, of meeting; only ever rises */
    VEC(uint32_t) todo; /* positions that rose */
} tracing;

static int meet(tracing *t, uint32_t position, meeting where, err *e)
{
    if (t->met[position] >= where) return 0;
    t->met[position] = (uint8_t)where;
    return vec_push(t->p->m, &t->todo, position, e);
}

static int trace(tracing *t, err *e)
{
    meet(t, t->p->root, INITIALLY, e);
    while (e->code == ERR_NONE && t->todo.count > 0) {
        uint32_t from = t->todo.at[--t->todo.count];
        const enc_mcl_position *x = at(t->p, from);
        for (uint32_t i = x->item; i < x->item + x->items; i++) {
            const enc_mcl_item *to = &t->p->items.at[i];
            meet(t, to->position, to->step ? ANYWHERE : t->met[from], e);
        }
    }
    return (int)e->code;
}

/* Which position a block is entered at: from the first one on, NONE, one, or MANY. */
enum { NONE = UINT32_MAX, MANY = UINT32_MAX - 1 };

static void enter(uint32_t *entry, const enc_mcl_program *p, uint32_t position,
                  bool initially)
{
    uint32_t *e = &entry[at(p, position)->block];
    bool same = *e == NONE || *e == position;
    *e = initially && same ? position : MANY;
}

static void find_entries(const tracing *t, uint32_t *entry)
{
    const enc_mcl_program *p = t->p;
    for (uint32_t b = 0; b < p->q->block_count; b++) entry[b] = NONE;
    enter(entry, p, p->root, true);
    for (uint32_t i = 0; i < p->positions.count; i++) {
        const enc_mcl_position *x = at(p, i);
        for (uint32_t k = x->item; t->met[i] && k < x->item + x->items; k++) {
            const enc_mcl_item *to = &p->items.at[k];
            if (at(p, to->position)->block != x->block)
                enter(entry, p, to->position, !to->step && t->met[i] == INITIALLY);
        }
    }
}

static int promise_entries(enc_mcl_program *p, err *e)
{
    uint32_t blocks = p->q->block_count;
    tracing t = { .p = p, .met = mem_get(p->m, p->positions.count, e) };
    uint32_t *entry = t.met ? mem_get_array(p->m, blocks, sizeof *entry, e) : NULL;
    if (entry && trace(&t, e) == 0) {
        find_entries(&t, entry);
        for (uint32_t b = 0; b < blocks; b++)
            if (entry[b] != MANY) p->blocks[b].promise |= GRAPH_SINGLE_ENTRY;
    }
    mem_put(p->m, t.met, p->positions.count);
    mem_put(p->m, entry, blocks * sizeof *entry);
    vec_release(p->m, &t.todo);
    return (int)e->code;
}

int enc_mcl_program_promise(enc_mcl_program *p, bool acyclic, err *e)
{
    for (uint32_t b = 0; b < p->q->block_count; b++) {
        bool plain = !graph_is_nested(&p->blocks[b]);
        if (p->q->blocks[b].acyclic || (acyclic && plain))
            p->blocks[b].promise |= GRAPH_ACYCLIC;
        promise_shape(p, &p->blocks[b]);
    }
    return promise_entries(p, e);
}
