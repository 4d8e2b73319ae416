#include "tests/naive_mcl.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static naive_set all_states(const lts *g)
{
    return g->states == 64 ? ~(naive_set)0 : ((naive_set)1 << g->states) - 1;
}

/* --- the tree ---------------------------------------------------------------------------- */

/* Row s: the states related to s. */
typedef struct relation {
    naive_set row[NAIVE_STATES_MAX];
} relation;

typedef struct evaluation {
    const lts *g;
    naive_set
        value[NAIVE_BINDERS_MAX]; /* of a binder's variable, by number of the binder */
} evaluation;

static bool matches(const char *expression, const char *label)
{
    char *anchored = NULL;
    regex_t r;
    if (asprintf(&anchored, "^%s$", expression) < 0 || regcomp(&r, anchored, 0) != 0)
        abort();
    bool yes = regexec(&r, label, 0, NULL, 0) == 0;
    regfree(&r);
    free(anchored);
    return yes;
}

static bool action_holds(const mcl_node *n, const char *label)
{
    switch (n->kind) {
    case MCL_STRING:
        return strcmp(n->text, label) == 0;
    case MCL_REGEXP:
        return matches(n->text, label);
    case MCL_TRUE:
        return true;
    case MCL_FALSE:
        return false;
    case MCL_NOT:
        return !action_holds(n->left, label);
    case MCL_AND:
        return action_holds(n->left, label) && action_holds(n->right, label);
    case MCL_OR:
        return action_holds(n->left, label) || action_holds(n->right, label);
    case MCL_IMPLIES:
        return !action_holds(n->left, label) || action_holds(n->right, label);
    case MCL_EQU:
        return action_holds(n->left, label) == action_holds(n->right, label);
    default:
        abort();
    }
}

static void identity(relation *r, const lts *g)
{
    for (state_id s = 0; s < g->states; s++) r->row[s] |= (naive_set)1 << s;
}

static void add_action(relation *r, const mcl_node *n, const lts *g)
{
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            if (action_holds(n, label_table_text(g->labels, lts_label(g, t), NULL)))
                r->row[s] |= (naive_set)1 << g->target[t];
}

static relation composed(const relation *a, const relation *b, const lts *g)
{
    relation r = { 0 };
    for (state_id s = 0; s < g->states; s++)
        for (state_id u = 0; u < g->states; u++)
            if ((a->row[s] >> u) & 1) r.row[s] |= b->row[u];
    return r;
}

/* One step or more. */
static relation closure(relation r, const lts *g)
{
    for (state_id k = 0; k < g->states; k++)
        for (state_id s = 0; s < g->states; s++)
            if ((r.row[s] >> k) & 1) r.row[s] |= r.row[k];
    return r;
}

static relation regular(const mcl_node *n, const lts *g)
{
    relation r = { 0 }, left, right;
    switch (n->kind) {
    case MCL_NIL:
        identity(&r, g);
        return r;
    case MCL_SEQ:
        left = regular(n->left, g), right = regular(n->right, g);
        return composed(&left, &right, g);
    case MCL_ALT:
        left = regular(n->left, g), right = regular(n->right, g);
        for (state_id s = 0; s < g->states; s++) r.row[s] = left.row[s] | right.row[s];
        return r;
    case MCL_OPT:
    case MCL_STAR:
    case MCL_PLUS:
        r = regular(n->left, g);
        if (n->kind != MCL_OPT) r = closure(r, g);
        if (n->kind != MCL_PLUS) identity(&r, g);
        return r;
    default:
        add_action(&r, n, g);
        return r;
    }
}

static naive_set before(const relation *r, naive_set into, const lts *g)
{
    naive_set out = 0;
    for (state_id s = 0; s < g->states; s++)
        if (r->row[s] & into) out |= (naive_set)1 << s;
    return out;
}

/* nu X . <R> X */
static naive_set endless(const mcl_node *n, const lts *g)
{
    relation r = regular(n, g);
    naive_set x = all_states(g), next;
    while ((next = before(&r, x, g)) != x) x = next;
    return x;
}

static naive_set state(evaluation *v, const mcl_node *n);

static naive_set fixed_point(evaluation *v, const mcl_node *n)
{
    naive_set x = n->kind == MCL_MU ? 0 : all_states(v->g), next;
    for (v->value[n->number] = x; (next = state(v, n->left)) != x;
         v->value[n->number] = x)
        x = next;
    return x;
}

static naive_set modal(evaluation *v, const mcl_node *n)
{
    relation r = regular(n->left, v->g);
    naive_set all = all_states(v->g), behind = state(v, n->right);
    if (n->kind == MCL_DIAMOND) return before(&r, behind, v->g);
    return all & ~before(&r, all & ~behind, v->g);
}

static naive_set state(evaluation *v, const mcl_node *n)
{
    naive_set all = all_states(v->g);
    switch (n->kind) {
    case MCL_TRUE:
        return all;
    case MCL_FALSE:
        return 0;
    case MCL_NOT:
        return all & ~state(v, n->left);
    case MCL_AND:
        return state(v, n->left) & state(v, n->right);
    case MCL_OR:
        return state(v, n->left) | state(v, n->right);
    case MCL_IMPLIES:
        return (all & ~state(v, n->left)) | state(v, n->right);
    case MCL_EQU:
        return all & ~(state(v, n->left) ^ state(v, n->right));
    case MCL_DIAMOND:
    case MCL_BOX:
        return modal(v, n);
    case MCL_LOOP:
        return endless(n->left, v->g);
    case MCL_NO_LOOP:
        return all & ~endless(n->left, v->g);
    case MCL_VARIABLE:
        return v->value[n->binder->number];
    case MCL_MU:
    case MCL_NU:
        return fixed_point(v, n);
    default:
        abort();
    }
}

naive_set naive_mcl_tree(const mcl *f, const lts *g)
{
    if (mcl_node_count(f) > NAIVE_BINDERS_MAX || g->states > NAIVE_STATES_MAX) abort();
    evaluation v = { .g = g };
    return state(&v, mcl_root(f));
}

/* --- the equations ----------------------------------------------------------------------- */

typedef struct solution {
    const mcl_equations *q;
    const mcl_action_sets *sets;
    const lts *g;
    naive_set *value; /* by variable */
} solution;

static naive_set expression(const solution *s, uint32_t id)
{
    const mcl_expr *x = &s->q->exprs[id];
    naive_set all = all_states(s->g), left, out = 0;
    switch (x->kind) {
    case MCL_EXPR_FALSE:
        return 0;
    case MCL_EXPR_TRUE:
        return all;
    case MCL_EXPR_VARIABLE:
        return s->value[x->which];
    case MCL_EXPR_OR:
        return expression(s, x->left) | expression(s, x->right);
    case MCL_EXPR_AND:
        return expression(s, x->left) & expression(s, x->right);
    default:
        break;
    }
    left = expression(s, x->left);
    if (x->kind == MCL_EXPR_BOX) left = all & ~left;
    for (state_id from = 0; from < s->g->states; from++)
        for (uint64_t t = s->g->first[from]; t < s->g->first[from + 1]; t++)
            if (mcl_action_has(mcl_action_set(s->sets, x->which), lts_label(s->g, t)) &&
                ((left >> s->g->target[t]) & 1))
                out |= (naive_set)1 << from;
    return x->kind == MCL_EXPR_BOX ? all & ~out : out;
}

/* One round over the outer, or the other, variables of a block: did anything change? */
static bool one_round(solution *s, const mcl_block *b, bool outer)
{
    bool changed = false;
    for (uint32_t v = b->first; v < b->first + b->count; v++) {
        if (s->q->variables[v].outer != outer) continue;
        naive_set next = expression(s, s->q->variables[v].right);
        changed |= next != s->value[v];
        s->value[v] = next;
    }
    return changed;
}

static void start(solution *s, const mcl_block *b, bool outer, bool full)
{
    for (uint32_t v = b->first; v < b->first + b->count; v++)
        if (s->q->variables[v].outer == outer) s->value[v] = full ? all_states(s->g) : 0;
}

static void solve_block(solution *s, const mcl_block *b)
{
    bool outer_full = b->kind == MCL_BLOCK_BUCHI;
    bool inner_full = b->kind == MCL_BLOCK_NU || b->kind == MCL_BLOCK_COBUCHI;
    start(s, b, true, outer_full);
    do {
        start(s, b, false, inner_full);
        while (one_round(s, b, false)) continue;
    } while (one_round(s, b, true));
}

naive_set naive_mcl_equations(const mcl_equations *q, const mcl_action_sets *sets,
                              const lts *g)
{
    solution s = { q, sets, g, calloc(q->variable_count, sizeof *s.value) };
    if (s.value == NULL) abort();
    for (uint32_t b = q->block_count; b-- > 0;) solve_block(&s, &q->blocks[b]);
    naive_set root = s.value[0];
    free(s.value);
    return root;
}
