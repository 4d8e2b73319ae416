/*
 * mcl_translate - a tree of modalities, fixed points and negations becomes equations.
 * Idea       Negations are pushed inwards on the way down (`negative`).  A regular modality
 *            is unfolded around the expression that must hold behind it (`behind`):
 *                <R1.R2> F = <R1> <R2> F      <R1|R2> F = <R1> F or <R2> F
 *                <R?> F = F or <R> F          <nil> F = F
 *                <R*> F = X,  X = F or <R> X     least
 *                <R+> F = X,  X = <R> (F or X)   least
 *                <R>@   = X,  X = <R> X          greatest
 *            and dually for boxes.
 * Invariant  Nothing is translated twice: what is needed twice gets a variable, unless it
 *            is a constant, a variable or small and local.  So time and size are linear.
 * Source     R. Mateescu, M. Sighireanu, Sci. Comput. Program. 46 (2003), 255-281.
 */
#include "lang/mcl_translate.h"

#include <assert.h>

#define FAILED UINT32_MAX /* an expression that could not be made; `e` says why */

enum { LOCAL_SHARED = 4, ACTIONS_COMPARED = 64 };

typedef struct translation {
    mcl_raw *raw;
    uint32_t *variable_of; /* by number of the binder: its variable + 1 */
    uint32_t
        *operand_of; /* by 2 * number + negative of an operand of equ: expression + 1 */
    uint32_t loop;   /* of the <R>@ or [R]-| being unfolded, or 0 */
    uint32_t loops;  /* so far */
    err *e;
} translation;

static uint32_t state(translation *t, const mcl_node *n, bool negative);

static const mcl_expr *at(const translation *t, uint32_t x)
{
    return &t->raw->exprs.at[x];
}

static uint32_t add(translation *t, mcl_expr x)
{
    uint32_t id = (uint32_t)t->raw->exprs.count;
    return vec_push(t->raw->m, &t->raw->exprs, x, t->e) == 0 ? id : FAILED;
}

/* A variable whose equation is still to be set, or FAILED. */
static uint32_t new_variable(translation *t, mcl_sign sign, const mcl_node *origin)
{
    uint32_t id = (uint32_t)t->raw->variables.count;
    mcl_expr use = { .kind = MCL_EXPR_VARIABLE, .which = id, .height = 1 };
    mcl_raw_variable v = { .sign = sign, .origin = origin, .loop = t->loop };
    v.entry = add(t, use);
    v.recursion = v.entry == FAILED ? FAILED : add(t, use);
    if (v.recursion == FAILED) return FAILED;
    return vec_push(t->raw->m, &t->raw->variables, v, t->e) == 0 ? id : FAILED;
}

static mcl_raw_variable *variable(translation *t, uint32_t v)
{
    return &t->raw->variables.at[v];
}

/* `x` under a name. */
static uint32_t named(translation *t, uint32_t x, const mcl_node *origin)
{
    uint32_t v = new_variable(t, MCL_SIGN_NONE, origin);
    if (v == FAILED) return FAILED;
    variable(t, v)->right = x;
    return variable(t, v)->entry;
}

/* `x` in a form that may be used twice. */
static uint32_t shared(translation *t, uint32_t x, const mcl_node *origin)
{
    if (x == FAILED || at(t, x)->height == 1) return x;
    if (mcl_expr_is_local(at(t, x)) && at(t, x)->height <= LOCAL_SHARED) return x;
    return named(t, x, origin);
}

/* No right side gets higher than allowed: what is too high gets a name. */
static uint32_t lower(translation *t, uint32_t x, const mcl_node *origin)
{
    if (x == FAILED || at(t, x)->height < MCL_EXPR_HEIGHT_MAX) return x;
    return named(t, x, origin);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t both(translation *t, mcl_expr_kind op, uint32_t a, uint32_t b,
                     const mcl_node *origin)
{
    uint32_t settles = op == MCL_EXPR_OR ? MCL_EXPR_TRUE_ID : MCL_EXPR_FALSE_ID;
    uint32_t neutral = op == MCL_EXPR_OR ? MCL_EXPR_FALSE_ID : MCL_EXPR_TRUE_ID;
    if ((a = lower(t, a, origin)) == FAILED || (b = lower(t, b, origin)) == FAILED)
        return FAILED;
    if (a == settles || b == settles) return settles;
    if (a == neutral || a == b) return b;
    if (b == neutral) return a;
    const mcl_expr *l = at(t, a), *r = at(t, b);
    return add(t, (mcl_expr){ .kind = op,
                              .left = a,
                              .right = b,
                              .height = 1 + larger(l->height, r->height),
                              .depth = larger(l->depth, r->depth),
                              .closed = l->closed && r->closed });
}

/* The number of an action formula; lately used ones are found again. */
static uint32_t action(translation *t, const mcl_node *n)
{
    size_t count = t->raw->actions.count;
    size_t oldest = count > ACTIONS_COMPARED ? count - ACTIONS_COMPARED : 0;
    for (size_t i = count; i-- > oldest;)
        if (mcl_tree_equal(t->raw->actions.at[i], n)) return (uint32_t)i;
    return vec_push(t->raw->m, &t->raw->actions, n, t->e) == 0 ? (uint32_t)count : FAILED;
}

static uint32_t modality(translation *t, mcl_expr_kind op, const mcl_node *n,
                         uint32_t behind)
{
    uint32_t nothing = op == MCL_EXPR_BOX ? MCL_EXPR_TRUE_ID : MCL_EXPR_FALSE_ID;
    if ((behind = lower(t, behind, n)) == FAILED) return FAILED;
    if (behind == nothing || n->kind == MCL_FALSE) return nothing;
    uint32_t a = action(t, n);
    if (a == FAILED) return FAILED;
    const mcl_expr *x = at(t, behind);
    return add(t, (mcl_expr){ .kind = op,
                              .left = behind,
                              .which = a,
                              .height = 1 + x->height,
                              .depth = 1 + x->depth,
                              .closed = x->closed });
}

/* The connective that belongs to a modality, and the sign of its repetitions. */
static mcl_expr_kind choice_of(mcl_expr_kind op)
{
    return op == MCL_EXPR_DIAMOND ? MCL_EXPR_OR : MCL_EXPR_AND;
}

static mcl_sign sign_of(mcl_expr_kind op)
{
    return op == MCL_EXPR_DIAMOND ? MCL_SIGN_MU : MCL_SIGN_NU;
}

/* Repetition of a repetition is repetition: what is repeated in the end. */
static const mcl_node *core_of(const mcl_node *r)
{
    while (r->kind == MCL_STAR || r->kind == MCL_PLUS || r->kind == MCL_OPT) r = r->left;
    return r;
}

static uint32_t regular(translation *t, mcl_expr_kind op, const mcl_node *r,
                        uint32_t behind);

static uint32_t star(translation *t, mcl_expr_kind op, const mcl_node *r, uint32_t behind)
{
    const mcl_node *core = core_of(r);
    if (behind == FAILED || core->kind == MCL_NIL) return behind;
    uint32_t v = new_variable(t, sign_of(op), r);
    if (v == FAILED) return FAILED;
    uint32_t again = regular(t, op, core, variable(t, v)->recursion);
    uint32_t right = both(t, choice_of(op), behind, again, r);
    variable(t, v)->right = right;
    return right == FAILED ? FAILED : variable(t, v)->entry;
}

static uint32_t plus(translation *t, mcl_expr_kind op, const mcl_node *r, uint32_t behind)
{
    if (mcl_tree_is_nullable(r->left)) return star(t, op, r, behind);
    const mcl_node *core = core_of(r);
    uint32_t v = behind == FAILED ? FAILED : new_variable(t, sign_of(op), r);
    if (v == FAILED) return FAILED;
    uint32_t more = both(t, choice_of(op), behind, variable(t, v)->recursion, r);
    uint32_t right = regular(t, op, core, more);
    variable(t, v)->right = right;
    return right == FAILED ? FAILED : variable(t, v)->entry;
}

/* Two regular formulas before the same thing; with `first` NULL the empty one. */
static uint32_t either(translation *t, mcl_expr_kind op, const mcl_node *first,
                       const mcl_node *second, uint32_t behind)
{
    behind = shared(t, behind, second);
    uint32_t a = first ? regular(t, op, first, behind) : behind;
    uint32_t b = a == FAILED ? FAILED : regular(t, op, second, behind);
    return both(t, choice_of(op), a, b, second);
}

static uint32_t option(translation *t, mcl_expr_kind op, const mcl_node *r,
                       uint32_t behind)
{
    if (mcl_tree_is_nullable(r->left)) return regular(t, op, r->left, behind);
    if (r->left->kind == MCL_PLUS) return star(t, op, r->left, behind);
    return either(t, op, NULL, r->left, behind);
}

/* <r> behind, or [r] behind. */
static uint32_t regular(translation *t, mcl_expr_kind op, const mcl_node *r,
                        uint32_t behind)
{
    if (behind == FAILED) return FAILED;
    if (mcl_tree_is_action(r)) return modality(t, op, r, behind);
    switch (r->kind) {
    case MCL_NIL:
        return behind;
    case MCL_SEQ:
        return regular(t, op, r->left, regular(t, op, r->right, behind));
    case MCL_ALT:
        return either(t, op, r->left, r->right, behind);
    case MCL_OPT:
        return option(t, op, r, behind);
    case MCL_STAR:
        return star(t, op, r, behind);
    default:
        return plus(t, op, r, behind);
    }
}

/* <R>@ and, negated, [R]-|: the outer fixed point around what repetitions R has inside. */
static uint32_t loop(translation *t, const mcl_node *n, bool negative)
{
    bool diamond = (n->kind == MCL_LOOP) != negative;
    if (mcl_tree_is_nullable(n->left)) {
        mcl_warn(t->raw->formula, n,
                 "the empty sequence can be repeated for ever: this is %s everywhere",
                 n->kind == MCL_LOOP ? "true" : "false");
        return diamond ? MCL_EXPR_TRUE_ID : MCL_EXPR_FALSE_ID;
    }
    t->loop = ++t->loops;
    uint32_t v = new_variable(t, diamond ? MCL_SIGN_NU : MCL_SIGN_MU, n);
    if (v == FAILED) return FAILED;
    variable(t, v)->outer = true;
    uint32_t right = regular(t, diamond ? MCL_EXPR_DIAMOND : MCL_EXPR_BOX, n->left,
                             variable(t, v)->recursion);
    t->loop = 0;
    variable(t, v)->right = right;
    return right == FAILED ? FAILED : variable(t, v)->entry;
}

static uint32_t fixed_point(translation *t, const mcl_node *n, bool negative)
{
    if (!n->used) return state(t, n->left, negative);
    bool least = (n->kind == MCL_MU) != negative;
    uint32_t v = new_variable(t, least ? MCL_SIGN_MU : MCL_SIGN_NU, n);
    if (v == FAILED) return FAILED;
    t->variable_of[n->number] = v + 1;
    uint32_t right = state(t, n->left, negative);
    variable(t, v)->right = right;
    return right == FAILED ? FAILED : variable(t, v)->entry;
}

/* An operand of equ, which no variable reaches into, is needed in both polarities. */
static uint32_t operand(translation *t, const mcl_node *n, bool negative)
{
    size_t place = 2 * (size_t)n->number + negative;
    if (t->operand_of[place] == 0) {
        uint32_t x = shared(t, state(t, n, negative), n);
        if (x == FAILED) return FAILED;
        t->operand_of[place] = x + 1;
    }
    return t->operand_of[place] - 1;
}

/* (F and G) or (not F and not G); negated, (F and not G) or (not F and G). */
static uint32_t equivalence(translation *t, const mcl_node *n, bool negative)
{
    uint32_t half[2];
    for (int k = 0; k < 2; k++) {
        uint32_t l = operand(t, n->left, k == 1);
        uint32_t r = l == FAILED ? FAILED : operand(t, n->right, (k == 1) != negative);
        half[k] = r == FAILED ? FAILED : both(t, MCL_EXPR_AND, l, r, n);
        if (half[k] == FAILED) return FAILED;
    }
    return both(t, MCL_EXPR_OR, half[0], half[1], n);
}

static uint32_t connective(translation *t, const mcl_node *n, bool negative)
{
    bool conjunction = (n->kind == MCL_AND) != negative;
    uint32_t l = state(t, n->left, negative != (n->kind == MCL_IMPLIES));
    uint32_t r = l == FAILED ? FAILED : state(t, n->right, negative);
    if (r == FAILED) return FAILED;
    return both(t, conjunction ? MCL_EXPR_AND : MCL_EXPR_OR, l, r, n);
}

static uint32_t state(translation *t, const mcl_node *n, bool negative)
{
    switch (n->kind) {
    case MCL_TRUE:
        return negative ? MCL_EXPR_FALSE_ID : MCL_EXPR_TRUE_ID;
    case MCL_FALSE:
        return negative ? MCL_EXPR_TRUE_ID : MCL_EXPR_FALSE_ID;
    case MCL_NOT:
        return state(t, n->left, !negative);
    case MCL_EQU:
        return equivalence(t, n, negative);
    case MCL_DIAMOND:
    case MCL_BOX: {
        bool diamond = (n->kind == MCL_DIAMOND) != negative;
        return regular(t, diamond ? MCL_EXPR_DIAMOND : MCL_EXPR_BOX, n->left,
                       state(t, n->right, negative));
    }
    case MCL_LOOP:
    case MCL_NO_LOOP:
        return loop(t, n, negative);
    case MCL_VARIABLE:
        assert(t->variable_of[n->binder->number] != 0);
        return variable(t, t->variable_of[n->binder->number] - 1)->recursion;
    case MCL_MU:
    case MCL_NU:
        return fixed_point(t, n, negative);
    default:
        return connective(t, n, negative);
    }
}

/* The constants, then the formula itself as the first variable. */
static void translate_all(translation *t)
{
    const mcl_node *root = mcl_root(t->raw->formula);
    mcl_expr constant = { .kind = MCL_EXPR_FALSE, .height = 1, .closed = true };
    if (add(t, constant) == FAILED) return;
    constant.kind = MCL_EXPR_TRUE;
    if (add(t, constant) == FAILED) return;
    uint32_t v = new_variable(t, MCL_SIGN_NONE, root);
    uint32_t right = v == FAILED ? FAILED : state(t, root, false);
    if (right != FAILED) variable(t, v)->right = right;
}

int mcl_translate(mcl_raw *raw, err *e)
{
    uint32_t nodes = mcl_node_count(raw->formula);
    translation t = { .raw = raw, .e = e };
    t.variable_of = mem_get_array(raw->m, nodes, sizeof(uint32_t), e);
    t.operand_of = mem_get_array(raw->m, 2 * (size_t)nodes, sizeof(uint32_t), e);
    if (t.variable_of && t.operand_of) translate_all(&t);
    if (t.variable_of) mem_put(raw->m, t.variable_of, nodes * sizeof(uint32_t));
    if (t.operand_of) mem_put(raw->m, t.operand_of, 2 * (size_t)nodes * sizeof(uint32_t));
    return (int)e->code;
}
