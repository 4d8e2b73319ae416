#include "tests/naive_net.h"

#include <stdlib.h>
#include <string.h>

static void *need(void *p)
{
    if (p == NULL) abort();
    return p;
}

/* ---- lists of moves ---------------------------------------------------------------------- */

void naive_moves_add(naive_moves *m, const char *label, size_t bytes, naive_tuple to)
{
    if (m->count == m->room) {
        m->room = 2 * m->room + 8;
        m->at = need(realloc(m->at, m->room * sizeof *m->at));
    }
    m->at[m->count++] = (naive_move){ need(strndup(label, bytes)), to };
}

void naive_moves_release(naive_moves *m)
{
    for (size_t i = 0; i < m->count; i++) free(m->at[i].label);
    free(m->at);
    *m = (naive_moves){ 0 };
}

static int compare(const void *a, const void *b)
{
    const naive_move *x = a, *y = b;
    int by_label = strcmp(x->label, y->label);
    return by_label ? by_label : memcmp(&x->to, &y->to, sizeof x->to);
}

void naive_moves_sort(naive_moves *m)
{
    size_t kept = 0;
    if (m->count > 0) qsort(m->at, m->count, sizeof *m->at, compare);
    for (size_t i = 0; i < m->count; i++)
        if (kept > 0 && compare(&m->at[i], &m->at[kept - 1]) == 0) free(m->at[i].label);
        else m->at[kept++] = m->at[i];
    m->count = kept;
}

static void drop(naive_moves *m, size_t i)
{
    free(m->at[i].label);
    memmove(&m->at[i], &m->at[i + 1], (--m->count - i) * sizeof *m->at);
}

/* ---- labels ------------------------------------------------------------------------------ */

static const char hidden[] = "i";

static bool is_hidden(const char *label) { return strcmp(label, hidden) == 0; }

/* How a network writes a label that some operator made. */
static const char *canonical(const naive_net *n, const char *text)
{
    return strcmp(text, n->net->hidden.at) == 0 ? hidden : text;
}

static size_t gate(const char *label) { return strcspn(label, "!?( \t"); }

static bool has_gate(const char *label, const char *name)
{
    return gate(label) == strlen(name) && strncmp(label, name, strlen(name)) == 0;
}

static bool ends(const naive_net *n, const char *label)
{
    return n->net->termination.at && has_gate(label, n->net->termination.at);
}

/* Is it what an interface or a vector calls so? */
static bool is_called(const exp_node *x, const char *label, const char *name)
{
    return x->by_label ? strcmp(label, name) == 0 : has_gate(label, name);
}

/* ---- who moves how, together ------------------------------------------------------------- */

/* Operands with the moves of each; some of them move together, one move each. */
typedef struct together {
    const naive_net *n;
    const exp_node *x;
    const naive_moves *of;              /* per operand */
    const size_t *first;                /* component of each operand, and one more */
    unsigned who;                       /* a bit per operand */
    const char *label[NAIVE_PARTS_MAX]; /* per operand that takes part */
    naive_tuple to;
    naive_moves *out;
} together;

static bool takes_part(const together *t, size_t i) { return t->who >> i & 1; }

static bool is_alone(const together *t) { return (t->who & (t->who - 1)) == 0; }

static bool are_all(const together *t) { return t->who == (1u << t->x->parts) - 1; }

static size_t how_many(const together *t) { return (size_t)__builtin_popcount(t->who); }

static const char *some_label(const together *t)
{
    return t->label[__builtin_ctz(t->who)];
}

static bool same_labels(const together *t)
{
    for (size_t i = 0; i < t->x->parts; i++)
        if (takes_part(t, i) && strcmp(t->label[i], some_label(t)) != 0) return false;
    return true;
}

static void emit(together *t, const char *label)
{
    label = canonical(t->n, label);
    naive_moves_add(t->out, label, strlen(label), t->to);
}

/* ---- par --------------------------------------------------------------------------------- */

static bool lists(const exp_node *x, size_t i, const char *label, int64_t degree)
{
    for (size_t k = 0; x->local && k < x->local_count[i]; k++)
        if (x->local[i][k].degree == degree &&
            is_called(x, label, x->local[i][k].name.at))
            return true;
    return false;
}

static bool all_list(const together *t, const char *label, int64_t degree)
{
    for (size_t i = 0; i < t->x->parts; i++)
        if (takes_part(t, i) && !lists(t->x, i, label, degree)) return false;
    return true;
}

/* Does nobody else list it? */
static bool nobody_else(const together *t, const char *label)
{
    for (size_t i = 0; i < t->x->parts; i++)
        if (!takes_part(t, i) && lists(t->x, i, label, -1)) return false;
    return true;
}

static bool par_allows(const together *t, const char *label)
{
    const exp_node *x = t->x;
    bool named = false;
    if (ends(t->n, label) || x->all) return are_all(t);
    for (size_t k = 0; k < x->global_count; k++) {
        if (!is_called(x, label, x->global[k].name.at)) continue;
        named = true;
        int64_t d = x->global[k].degree;
        if (d < 0 ? are_all(t) : how_many(t) == (uint64_t)d) return true;
    }
    for (int64_t d = 1; d <= (int64_t)x->parts; d++)
        if (how_many(t) == (size_t)d && all_list(t, label, d)) return true;
    if (all_list(t, label, -1) && nobody_else(t, label)) return true;
    if (!is_alone(t) || named) return false;
    size_t i = (size_t)__builtin_ctz(t->who);
    for (size_t k = 0; x->local && k < x->local_count[i]; k++)
        named |= is_called(x, label, x->local[i][k].name.at);
    return !named;
}

static void try_par(together *t)
{
    if (same_labels(t) && par_allows(t, some_label(t))) emit(t, some_label(t));
}

/* ---- vectors, co-actions, communication -------------------------------------------------- */

static bool same_offers(const together *t)
{
    const char *x = some_label(t);
    for (size_t i = 0; i < t->x->parts; i++)
        if (takes_part(t, i) && strcmp(t->label[i] + gate(t->label[i]), x + gate(x)) != 0)
            return false;
    return true;
}

static bool fits(const together *t, const exp_vector *v)
{
    for (size_t i = 0; i < t->x->parts; i++) {
        if ((v->item[i].at != NULL) != takes_part(t, i)) return false;
        if (takes_part(t, i) && !is_called(t->x, t->label[i], v->item[i].at))
            return false;
    }
    return t->x->by_label || same_offers(t);
}

/* A gate with the offers of a label behind; the hidden one has none. */
static void emit_gate(together *t, const char *name, const char *label)
{
    char text[256];
    bool silent = is_hidden(canonical(t->n, name));
    strcpy(text, name);
    if (!silent) strcat(text, label + gate(label));
    emit(t, text);
}

static void try_vectors(together *t)
{
    bool named = false;
    const exp_node *x = t->x;
    for (size_t k = 0; k < x->vector_count; k++) {
        const exp_vector *v = &x->vector[k];
        for (size_t i = 0; i < x->parts; i++)
            named |= v->item[i].at && ends(t->n, v->item[i].at);
        if (!fits(t, v)) continue;
        if (x->by_label) emit(t, v->result.at);
        else emit_gate(t, v->result.at, some_label(t));
    }
    if (!named && ends(t->n, some_label(t)) && are_all(t) && same_labels(t))
        emit(t, some_label(t));
}

static bool is_coaction(const naive_net *n, const char *x, const char *y)
{
    const char *prefix = n->net->coaction.at;
    return prefix && strncmp(y, prefix, strlen(prefix)) == 0 &&
           strcmp(x, y + strlen(prefix)) == 0 && !ends(n, x);
}

static void try_ccs(together *t)
{
    const char *x = t->label[0], *y = t->label[1];
    if (ends(t->n, some_label(t))) {
        if (are_all(t) && same_labels(t)) emit(t, some_label(t));
    } else if (is_alone(t)) {
        emit(t, some_label(t));
    } else if (is_coaction(t->n, x, y) || is_coaction(t->n, y, x)) {
        emit(t, hidden);
    }
}

static void try_merge(together *t)
{
    if (is_alone(t)) {
        emit(t, some_label(t));
        return;
    }
    for (size_t k = 0; k < t->n->net->comm_count && same_offers(t); k++) {
        const exp_comm *r = &t->n->net->comm[k];
        const char *x = t->label[0], *y = t->label[1];
        if ((has_gate(x, r->left.at) && has_gate(y, r->right.at)) ||
            (has_gate(x, r->right.at) && has_gate(y, r->left.at)))
            emit_gate(t, r->result.at, x);
    }
}

static void try_together(together *t)
{
    bool some_hidden = false;
    for (size_t i = 0; i < t->x->parts; i++)
        some_hidden |= takes_part(t, i) && is_hidden(t->label[i]);
    if (some_hidden) {
        if (is_alone(t)) emit(t, hidden);
        return;
    }
    switch (t->x->kind) {
    case EXP_PAR:
        try_par(t);
        break;
    case EXP_VECTORS:
        try_vectors(t);
        break;
    case EXP_CCS:
        try_ccs(t);
        break;
    case EXP_MERGE:
        try_merge(t);
        break;
    default:
        abort();
    }
}

/* Operands from `i` on: idle, or any of their moves. */
static void choose(together *t, size_t i)
{
    if (i == t->x->parts || i == NAIVE_PARTS_MAX) {
        if (t->who != 0) try_together(t);
        return;
    }
    choose(t, i + 1);
    naive_tuple before = t->to;
    for (size_t k = 0; k < t->of[i].count; k++) {
        t->who |= 1u << i;
        t->label[i] = t->of[i].at[k].label;
        for (size_t p = t->first[i]; p < t->first[i + 1]; p++)
            t->to.at[p] = t->of[i].at[k].to.at[p];
        choose(t, i + 1);
        t->who &= ~(1u << i);
        t->to = before;
    }
}

/* ---- the tree ---------------------------------------------------------------------------- */

static size_t count_parts(const exp_node *x)
{
    size_t count = x->kind == EXP_LTS;
    for (size_t i = 0; i < x->parts; i++) count += count_parts(x->part[i]);
    return count;
}

/* An evaluation of a subtree whose components begin at `first`. */
typedef struct question {
    const naive_net *n;
    naive_tuple from;
    bool all; /* prio removes nothing: what could occur at all? */
} question;

static naive_moves ask(const question *q, const exp_node *x, size_t first);

static naive_moves ask_component(const question *q, size_t p)
{
    naive_moves out = { 0 };
    const naive_lts *g = &q->n->part[p];
    for (size_t k = 0; k < g->count; k++) {
        if (g->edges[k].from != q->from.at[p]) continue;
        naive_tuple to = q->from;
        to.at[p] = (uint32_t)g->edges[k].to;
        const naive_label *l = &g->labels[g->edges[k].label];
        naive_moves_add(&out, l->text, l->bytes, to);
    }
    return out;
}

static naive_moves ask_operands(const question *q, const exp_node *x, size_t first)
{
    naive_moves of[NAIVE_PARTS_MAX], out = { 0 };
    size_t start[NAIVE_PARTS_MAX + 1] = { first };
    for (size_t i = 0; i < x->parts; i++) {
        of[i] = ask(q, x->part[i], start[i]);
        start[i + 1] = start[i] + count_parts(x->part[i]);
    }
    together t = {
        .n = q->n, .x = x, .of = of, .first = start, .to = q->from, .out = &out
    };
    choose(&t, 0);
    for (size_t i = 0; i < x->parts; i++) naive_moves_release(&of[i]);
    return out;
}

static void rename_move(const naive_net *n, const exp_node *x, naive_move *m)
{
    mem account = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&account, 4096);
    const char *text;
    size_t bytes;
    if (label_map_apply(x->map, &a, m->label, strlen(m->label), &text, &bytes, &e) != 0)
        abort();
    char *now = need(strndup(text, bytes));
    size_t offers = strlen(m->label) - gate(m->label);
    if (text != m->label && label_map_mode(x->map) == LABEL_GATE) {
        char *renamed = need(strndup(now, bytes - offers)); /* the gate alone */
        if (is_hidden(canonical(n, renamed))) strcpy(now, renamed);
        free(renamed);
    }
    free(m->label);
    m->label = need(strdup(canonical(n, now)));
    free(now);
    arena_release(&a);
}

static void relabel(const naive_net *n, const exp_node *x, naive_moves *m)
{
    for (size_t i = m->count; i-- > 0;) {
        char *label = m->at[i].label;
        if (is_hidden(label)) continue;
        if (x->kind == EXP_RENAME) rename_move(n, x, &m->at[i]);
        else if (!label_set_has(x->set, label, strlen(label))) continue;
        else if (x->kind == EXP_CUT) drop(m, i);
        else strcpy(label, hidden);
    }
}

static bool is_above(const naive_prio *o, const char *x, const char *y)
{
    for (size_t i = 0; i < o->count; i++)
        for (size_t k = 0; k < o->count; k++)
            if (strcmp(o->label[i], x) == 0 && strcmp(o->label[k], y) == 0)
                return o->above[i * o->count + k];
    abort(); /* what can occur does not? */
}

static void prefer(const naive_net *n, const exp_node *x, naive_moves *m)
{
    const naive_prio *o = n->order;
    bool *kept = need(calloc(m->count + 1, sizeof *kept));
    while (o->node != x) o++;
    for (size_t i = 0; i < m->count; i++) {
        kept[i] = true;
        for (size_t k = 0; k < m->count; k++)
            kept[i] &= !is_above(o, m->at[i].label, m->at[k].label);
    }
    for (size_t i = m->count; i-- > 0;)
        if (!kept[i]) drop(m, i);
    free(kept);
}

static naive_moves ask(const question *q, const exp_node *x, size_t first)
{
    if (x->kind == EXP_LTS) return ask_component(q, first);
    if (x->kind >= EXP_PAR) return ask_operands(q, x, first);
    naive_moves m = ask(q, x->part[0], first);
    if (x->kind != EXP_PRIO) relabel(q->n, x, &m);
    else if (!q->all) prefer(q->n, x, &m);
    return m;
}

naive_moves naive_net_moves(const naive_net *n, naive_tuple from)
{
    question q = { .n = n, .from = from };
    naive_moves m = ask(&q, n->net->root, 0);
    naive_moves_sort(&m);
    return m;
}

naive_moves naive_net_possible(const naive_net *n, const exp_node *x, size_t first,
                               naive_tuple from)
{
    question q = { .n = n, .from = from, .all = true };
    return ask(&q, x, first);
}
