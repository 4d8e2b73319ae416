/*
 * enc_mcl_program - from equations to positions.
 *
 * Idea       The right side of a variable is walked from the top.  At an or or an and, the
 *            operands that are local become guards.  If one operand is left it is walked
 *            on: no vertex is needed for a connective of which only one side is open.  If
 *            more are left, each becomes an item: a variable or a part with a position of its
 *            own, or a modality of the same operator, whose steps the row takes over.
 * Invariant  Positions of a block follow each other; parts are appended while the positions
 *            before them are compiled.  Until all are known an item that leads to a
 *            variable holds the variable's number.
 * Cost       Linear in the equations.
 */
#include "encodings/enc_mcl_program.h"

#include <assert.h>

#define TO_VARIABLE 0x80000000u /* of item.position, until `link_items` */

static const mcl_expr *expr_at(const enc_mcl_program *p, uint32_t id)
{
    return &p->q->exprs[id];
}

static bool is_modality(const mcl_expr *x)
{
    return x->kind == MCL_EXPR_DIAMOND || x->kind == MCL_EXPR_BOX;
}

static graph_op op_of(const mcl_expr *x)
{
    return x->kind == MCL_EXPR_AND || x->kind == MCL_EXPR_BOX ? GRAPH_AND : GRAPH_OR;
}

/* ---- positions --------------------------------------------------------------------------- */

static int add_position(enc_mcl_program *p, enc_mcl_position fresh, err *e)
{
    if (p->positions.count >= TO_VARIABLE)
        return err_set(e, ERR_LIMIT, "the formula has more than 2^31 parts");
    return vec_push(p->m, &p->positions, fresh, e);
}

static int add_part(enc_mcl_program *p, const enc_mcl_position *of, uint32_t expr,
                    uint32_t *out, err *e)
{
    enc_mcl_position fresh = { .expr = expr, .block = of->block };
    fresh.variable = of->variable;
    fresh.part = (uint32_t)p->positions.count;
    *out = (uint32_t)p->positions.count;
    return add_position(p, fresh, e);
}

/* Where an expression is found: at its variable, or at a new position. */
static int find_position(enc_mcl_program *p, const enc_mcl_position *from, uint32_t expr,
                         uint32_t *out, err *e)
{
    const mcl_expr *x = expr_at(p, expr);
    *out = TO_VARIABLE | x->which;
    return x->kind == MCL_EXPR_VARIABLE ? 0 : add_part(p, from, expr, out, e);
}

/* ---- guards ------------------------------------------------------------------------------ */

/* A test by the labels of one modality; what the set alone decides is known now. */
static enc_mcl_known make_test(const enc_mcl_program *p, uint32_t expr,
                               enc_mcl_guard *out)
{
    const mcl_expr *x = expr_at(p, expr);
    out->expr = expr;
    if (x->kind == MCL_EXPR_TRUE || x->kind == MCL_EXPR_FALSE)
        return x->kind == MCL_EXPR_TRUE ? ENC_MCL_TRUE : ENC_MCL_FALSE;
    out->wanted = x->kind == MCL_EXPR_DIAMOND;
    bool plain = is_modality(x) && expr_at(p, x->left)->kind ==
                                       (out->wanted ? MCL_EXPR_TRUE : MCL_EXPR_FALSE);
    out->general = !plain;
    if (!plain) return ENC_MCL_OPEN;
    out->set = p->sets[x->which];
    if (!out->set.none) return ENC_MCL_OPEN;
    return out->wanted ? ENC_MCL_FALSE : ENC_MCL_TRUE;
}

/* A local operand of an or or an and; true when it decides whatever the state. */
static bool add_guard(enc_mcl_program *p, enc_mcl_position *to, graph_op op,
                      uint32_t expr, err *e)
{
    enc_mcl_guard g = { .op = op };
    enc_mcl_known known = make_test(p, expr, &g);
    if (known == (graph_absorbing(op) ? ENC_MCL_TRUE : ENC_MCL_FALSE)) return true;
    if (known != ENC_MCL_OPEN || vec_push(p->m, &p->guards, g, e) != 0) return false;
    to->guards++;
    to->reads_labels |= g.general || !g.set.all;
    return false;
}

/* ---- items ------------------------------------------------------------------------------- */

static int add_item(enc_mcl_program *p, enc_mcl_position *to, enc_mcl_item item, err *e)
{
    to->items++;
    to->reads_labels |= item.step && !item.set.all;
    return vec_push(p->m, &p->items, item, e);
}

static int add_step(enc_mcl_program *p, enc_mcl_position *to, const mcl_expr *x, err *e)
{
    enc_mcl_item item = { .step = true, .set = p->sets[x->which] };
    if (item.set.none) return 0; /* leads nowhere */
    if (find_position(p, to, x->left, &item.position, e) != 0) return (int)e->code;
    return add_item(p, to, item, e);
}

/* An operand that is not local, of the operator of the position. */
static int add_operand(enc_mcl_program *p, enc_mcl_position *to, uint32_t expr, err *e)
{
    const mcl_expr *x = expr_at(p, expr);
    enc_mcl_item item = { .step = false };
    if (is_modality(x) && op_of(x) == to->op) return add_step(p, to, x, e);
    if (find_position(p, to, expr, &item.position, e) != 0) return (int)e->code;
    return add_item(p, to, item, e);
}

/* ---- one position -------------------------------------------------------------------------- */

/* The operands of an or (an and), those of ors (ands) below it included. */
typedef struct operands {
    VEC(uint32_t) local, open;
} operands;

static int collect(const enc_mcl_program *p, uint32_t expr, mcl_expr_kind kind,
                   operands *o, err *e)
{
    const mcl_expr *x = expr_at(p, expr);
    if (x->kind == kind && !mcl_expr_is_local(x)) {
        if (collect(p, x->left, kind, o, e) != 0) return (int)e->code;
        return collect(p, x->right, kind, o, e);
    }
    return mcl_expr_is_local(x) ? vec_push(p->m, &o->local, expr, e)
                                : vec_push(p->m, &o->open, expr, e);
}

/* The position has this value at every state (where no guard decides). */
static void become_constant(enc_mcl_position *to, bool value)
{
    to->op = value ? GRAPH_AND : GRAPH_OR;
}

/* Walk an or or an and; if it is not done then, `*expr` is what is left to walk. */
static int walk_connective(enc_mcl_program *p, enc_mcl_position *to, uint32_t *expr,
                           operands *o, bool *done, err *e)
{
    const mcl_expr *x = expr_at(p, *expr);
    graph_op op = op_of(x);
    o->local.count = o->open.count = 0;
    if (collect(p, *expr, x->kind, o, e) != 0) return (int)e->code;
    for (size_t i = 0; i < o->local.count && !*done; i++)
        *done = add_guard(p, to, op, o->local.at[i], e);
    if (*done || e->code != ERR_NONE) {
        become_constant(to, graph_absorbing(op));
        return (int)e->code;
    }
    if (o->open.count == 1) { /* the others do not matter here */
        *expr = o->open.at[0];
        return 0;
    }
    to->op = op;
    *done = true;
    for (size_t i = 0; i < o->open.count && e->code == ERR_NONE; i++)
        add_operand(p, to, o->open.at[i], e);
    return (int)e->code;
}

/* What is neither or nor and: a local test, a modality, a variable. */
static int walk_leaf(enc_mcl_program *p, enc_mcl_position *to, uint32_t expr, err *e)
{
    const mcl_expr *x = expr_at(p, expr);
    if (mcl_expr_is_local(x)) {
        become_constant(to, add_guard(p, to, GRAPH_OR, expr, e));
        return (int)e->code;
    }
    to->op = op_of(x);
    return add_operand(p, to, expr, e);
}

/* No test decides where there is a transition, and the row is one step over all labels. */
static bool is_plain(const enc_mcl_program *p, const enc_mcl_position *x)
{
    if (x->reads_labels || x->items != 1 || !p->items.at[x->item].step) return false;
    for (uint32_t i = x->guard; i < x->guard + x->guards; i++)
        if (p->guards.at[i].wanted == graph_absorbing(p->guards.at[i].op)) return false;
    return true;
}

static int compile(enc_mcl_program *p, size_t number, operands *o, err *e)
{
    enc_mcl_position to = p->positions.at[number];
    uint32_t expr = to.expr;
    bool done = false;
    to.guard = (uint32_t)p->guards.count;
    to.item = (uint32_t)p->items.count;
    while (!done && e->code == ERR_NONE) {
        const mcl_expr *x = expr_at(p, expr);
        bool connective = x->kind == MCL_EXPR_OR || x->kind == MCL_EXPR_AND;
        if (connective && !mcl_expr_is_local(x)) {
            walk_connective(p, &to, &expr, o, &done, e);
        } else {
            walk_leaf(p, &to, expr, e);
            done = true;
        }
    }
    if (e->code == ERR_NONE) to.plain = is_plain(p, &to);
    p->positions.at[number] = to;
    return (int)e->code;
}

/* ---- all of them --------------------------------------------------------------------------- */

static int add_variables(enc_mcl_program *p, const mcl_block *b, bool outer, err *e)
{
    for (uint32_t v = b->first; v < b->first + b->count; v++) {
        const mcl_variable *x = &p->q->variables[v];
        if (x->outer != outer) continue;
        enc_mcl_position fresh = { .expr = x->right, .block = x->block, .variable = v };
        if (add_position(p, fresh, e) != 0) return (int)e->code;
    }
    return 0;
}

/* Ranges in positions; they become ranges of vertices when the states are known. */
static int compile_block(enc_mcl_program *p, uint32_t block, operands *o, err *e)
{
    const mcl_block *b = &p->q->blocks[block];
    graph_block *to = &p->blocks[block];
    bool greatest = b->kind == MCL_BLOCK_NU || b->kind == MCL_BLOCK_BUCHI;
    bool nested = b->kind == MCL_BLOCK_BUCHI || b->kind == MCL_BLOCK_COBUCHI;
    to->sign = greatest ? GRAPH_NU : GRAPH_MU;
    to->begin = (vertex_id)p->positions.count;
    if (add_variables(p, b, true, e) != 0) return (int)e->code;
    to->outer_end = nested ? (vertex_id)p->positions.count : 0;
    if (add_variables(p, b, false, e) != 0) return (int)e->code;
    for (size_t i = to->begin; i < p->positions.count && e->code == ERR_NONE; i++)
        compile(p, i, o, e);
    to->end = (vertex_id)p->positions.count;
    return (int)e->code;
}

static int link_items(enc_mcl_program *p, err *e)
{
    uint32_t *at = mem_get_array(p->m, p->q->variable_count, sizeof *at, e);
    if (at == NULL) return (int)e->code;
    for (uint32_t i = 0; i < p->positions.count; i++)
        if (p->positions.at[i].part == 0) at[p->positions.at[i].variable] = i;
    for (size_t i = 0; i < p->items.count; i++) {
        uint32_t *to = &p->items.at[i].position;
        if (*to & TO_VARIABLE) *to = at[*to & ~TO_VARIABLE];
    }
    p->root = at[0];
    mem_put(p->m, at, p->q->variable_count * sizeof *at);
    return 0;
}

/* Selves to positions that have steps only. */
static void find_peeks(enc_mcl_program *p)
{
    for (size_t n = 0; n < p->positions.count; n++) {
        enc_mcl_position *x = &p->positions.at[n];
        for (uint32_t i = x->item; i < x->item + x->items; i++) {
            enc_mcl_item *it = &p->items.at[i];
            const enc_mcl_position *to = &p->positions.at[it->position];
            uint32_t steps = 0;
            while (steps < to->items && p->items.at[to->item + steps].step) steps++;
            it->peek = !it->step && steps == to->items;
            x->reads_labels |= it->peek && to->reads_labels;
        }
    }
}

static int compile_actions(enc_mcl_program *p, const label_table *labels, err *e)
{
    const mcl_equations *q = p->q;
    if (mcl_action_compile(&p->actions, p->m, q->actions, q->action_count, labels, e) !=
        0)
        return (int)e->code;
    p->sets = mem_get_array(p->m, q->action_count, sizeof *p->sets, e);
    for (uint32_t i = 0; p->sets && i < q->action_count; i++) {
        label_id count = mcl_action_count(p->actions, i);
        p->sets[i] = (enc_mcl_set){ .bits = mcl_action_set(p->actions, i),
                                    .all = count == label_table_count(labels),
                                    .none = count == 0 };
    }
    return (int)e->code;
}

int enc_mcl_program_open(enc_mcl_program *p, mem *m, const mcl_equations *q,
                         const label_table *labels, err *e)
{
    operands o = { .local = { 0 } };
    *p = (enc_mcl_program){ .m = m, .q = q };
    if (compile_actions(p, labels, e) != 0) return (int)e->code;
    p->blocks = mem_get_array(m, q->block_count, sizeof *p->blocks, e);
    for (uint32_t b = 0; e->code == ERR_NONE && b < q->block_count; b++)
        compile_block(p, b, &o, e);
    vec_release(m, &o.local);
    vec_release(m, &o.open);
    if (e->code == ERR_NONE && link_items(p, e) == 0) find_peeks(p);
    return (int)e->code;
}

int enc_mcl_program_lend(enc_mcl_program *p, const enc_mcl_program *from, err *e)
{
    size_t count = from->positions.count;
    *p = *from;
    p->borrowed = true;
    p->positions.at = NULL;
    p->positions.count = p->positions.room = 0;
    if (vec_reserve(p->m, &p->positions, count, e) != 0) return (int)e->code;
    p->positions.count = count;
    for (size_t i = 0; i < count; i++) {
        p->positions.at[i] = from->positions.at[i];
        p->positions.at[i].expanded = p->positions.at[i].led_to = false;
    }
    return 0;
}

void enc_mcl_program_close(enc_mcl_program *p)
{
    if (p->m == NULL) return;
    vec_release(p->m, &p->positions);
    if (p->borrowed) return;
    mcl_action_close(p->actions);
    mem_put(p->m, p->sets, p->q->action_count * sizeof *p->sets);
    vec_release(p->m, &p->guards);
    vec_release(p->m, &p->items);
    mem_put(p->m, p->blocks, p->q->block_count * sizeof *p->blocks);
    *p = (enc_mcl_program){ .m = NULL };
}

/* ---- values at a state ----------------------------------------------------------------------- */

static bool some_label(const enc_mcl_set *set, const lts_row *r)
{
    uint32_t i = 0;
    while (i < r->count && !enc_mcl_has(set, r, i)) i++;
    return i < r->count;
}

bool enc_mcl_local_value(const enc_mcl_program *p, uint32_t expr, const lts_row *r)
{
    const mcl_expr *x = expr_at(p, expr);
    switch (x->kind) {
    case MCL_EXPR_FALSE:
        return false;
    case MCL_EXPR_TRUE:
        return true;
    case MCL_EXPR_OR:
        return enc_mcl_local_value(p, x->left, r) || enc_mcl_local_value(p, x->right, r);
    case MCL_EXPR_AND:
        return enc_mcl_local_value(p, x->left, r) && enc_mcl_local_value(p, x->right, r);
    default:; /* of a constant, the same at every state */
        assert(is_modality(x) && expr_at(p, x->left)->depth == 0);
        bool diamond = x->kind == MCL_EXPR_DIAMOND;
        if (enc_mcl_local_value(p, x->left, r) != diamond) return !diamond;
        return some_label(&p->sets[x->which], r) == diamond;
    }
}

bool enc_mcl_guard_value(const enc_mcl_program *p, const enc_mcl_guard *t,
                         const lts_row *r)
{
    if (t->general) return enc_mcl_local_value(p, t->expr, r);
    return some_label(&t->set, r) == t->wanted;
}

enc_mcl_known enc_mcl_peek(const enc_mcl_program *p, const enc_mcl_position *x,
                           const lts_row *r)
{
    for (uint32_t i = x->guard; i < x->guard + x->guards; i++) {
        const enc_mcl_guard *t = &p->guards.at[i];
        bool value = enc_mcl_guard_value(p, t, r);
        if (value == graph_absorbing(t->op)) return value ? ENC_MCL_TRUE : ENC_MCL_FALSE;
    }
    for (uint32_t i = x->item; i < x->item + x->items; i++)
        if (some_label(&p->items.at[i].set, r)) return ENC_MCL_OPEN;
    return graph_absorbing(x->op) ? ENC_MCL_FALSE : ENC_MCL_TRUE;
}
