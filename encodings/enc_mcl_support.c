/*
 * enc_mcl_support - which transitions a proof rests on.
 *
 * Idea       For a proof of TRUE: where one successor is kept, one transition that leads to it;
 *            where all are kept, every transition to one of them; where a test of labels had
 *            to be true, a transition for each label that was wanted.  Dually for FALSE.
 *            What is left out could only have made more true than had to be: a box or an
 *            absent label does not mind fewer transitions, a diamond has its own.
 */
#include "encodings/enc_mcl_program.h"

#include <assert.h>

/* Whom to tell. */
typedef struct listener {
    const enc_mcl *x;
    enc_mcl_use *use;
    void *self;
    state_id s;
    lts_row row; /* of s */
} listener;

static int use(const listener *l, uint32_t i, err *e)
{
    enc_mcl_transition t = { l->s, i, lts_row_label(&l->row, i), l->row.target[i] };
    return l->use(l->self, &t, e);
}

/* A transition whose label is in the set, and the first if there are several. */
static int use_first(const listener *l, const enc_mcl_set *set, err *e)
{
    uint32_t i = 0;
    while (i < l->row.count && !enc_mcl_has(set, &l->row, i)) i++;
    assert(i < l->row.count);
    return use(l, i, e);
}

/* A local expression has the value; which transitions make it so? */
static int use_local(const listener *l, uint32_t expr, bool value, err *e)
{
    const enc_mcl_program *p = &l->x->program;
    const mcl_expr *x = &p->q->exprs[expr];
    bool diamond = x->kind == MCL_EXPR_DIAMOND;
    switch (x->kind) {
    case MCL_EXPR_FALSE:
    case MCL_EXPR_TRUE:
        return 0;
    case MCL_EXPR_OR:
    case MCL_EXPR_AND:
        if ((x->kind == MCL_EXPR_OR) == value) { /* one operand is enough */
            bool left = enc_mcl_local_value(p, x->left, &l->row) == value;
            return use_local(l, left ? x->left : x->right, value, e);
        }
        if (use_local(l, x->left, value, e) != 0) return (int)e->code;
        return use_local(l, x->right, value, e);
    default: /* a diamond that is true, a box that is false has its transition */
        return diamond == value ? use_first(l, &p->sets[x->which], e) : 0;
    }
}

/* Tests up to the one that decides; those of the proof's value are part of it. */
static int use_guards(const listener *l, const enc_mcl_position *p, bool value,
                      bool *decided, err *e)
{
    *decided = false;
    for (uint32_t i = 0; i < p->guards && !*decided; i++) {
        const enc_mcl_guard *t = &l->x->program.guards.at[p->guard + i];
        bool now = enc_mcl_guard_value(&l->x->program, t, &l->row);
        *decided = now == graph_absorbing(t->op);
        if (now == value && use_local(l, t->expr, value, e) != 0) return (int)e->code;
    }
    return 0;
}

/* The same of selves that are known without their successors. */
static int use_peeks(const listener *l, const enc_mcl_position *p, bool value,
                     bool *decided, err *e)
{
    const enc_mcl_program *x = &l->x->program;
    enc_mcl_known wanted = value ? ENC_MCL_TRUE : ENC_MCL_FALSE;
    for (uint32_t i = p->item; i < p->item + p->items && !*decided; i++) {
        const enc_mcl_position *to = &x->positions.at[x->items.at[i].position];
        bool ended;
        if (!x->items.at[i].peek) continue;
        enc_mcl_known known = enc_mcl_peek(x, to, &l->row);
        if (known == wanted && use_guards(l, to, value, &ended, e) != 0)
            return (int)e->code;
        *decided = known == (graph_absorbing(p->op) ? ENC_MCL_TRUE : ENC_MCL_FALSE);
    }
    return 0;
}

static const enc_mcl_item *item_at(const listener *l, const enc_mcl_position *p,
                                   uint32_t i)
{
    return &l->x->program.items.at[p->item + i];
}

/* Does the item lead to the choice without a transition? */
static bool stays(const listener *l, const enc_mcl_item *it, vertex_id choice)
{
    return !it->step && it->base + l->s == choice;
}

static int use_choice(const listener *l, const enc_mcl_position *p, vertex_id choice,
                      err *e)
{
    const lts_row *r = &l->row;
    for (uint32_t i = 0; i < p->items; i++)
        if (stays(l, item_at(l, p, i), choice)) return 0;
    for (uint32_t i = 0; i < p->items; i++) {
        const enc_mcl_item *it = item_at(l, p, i);
        for (uint32_t t = 0; it->step && t < r->count; t++)
            if (it->base + r->target[t] == choice && enc_mcl_has(&it->set, r, t))
                return use(l, t, e);
    }
    assert(false && "a choice that is no successor");
    return 0;
}

static int use_all(const listener *l, const enc_mcl_position *p, err *e)
{
    const lts_row *r = &l->row;
    for (uint32_t i = 0; i < p->items; i++) {
        const enc_mcl_item *it = item_at(l, p, i);
        for (uint32_t t = 0; it->step && t < r->count; t++)
            if (enc_mcl_has(&it->set, r, t) && use(l, t, e) != 0) return (int)e->code;
    }
    return 0;
}

int enc_mcl_support(const enc_mcl *x, vertex_id v, vertex_id choice, bool value,
                    enc_mcl_use *told, void *self, err *e)
{
    listener l = { .x = x, .use = told, .self = self };
    const enc_mcl_position *p = enc_mcl_locate(x, v, &l.s);
    bool decided;
    l.row = enc_mcl_row(x, l.s);
    if (graph_trouble(&x->base, e) != 0) return (int)e->code;
    if (use_guards(&l, p, value, &decided, e) != 0 || decided) return (int)e->code;
    if (use_peeks(&l, p, value, &decided, e) != 0 || decided) return (int)e->code;
    return choice == VERTEX_NONE ? use_all(&l, p, e) : use_choice(&l, p, choice, e);
}
