/*
 * network_par - parallel composition by interfaces.
 *
 * Idea       Each element of an interface is a bid: these operands (all, or those that
 *            list the element with the same degree), so many of them at a time.  The
 *            vectors that some bid of their gate or label concerns are sorted by their
 *            full label; under each label every bid chooses among the operands that have
 *            it.  All other vectors pass.
 * Invariant  No choice of operands is made twice for a label: of bids with the same
 *            degree a larger base stands for a smaller one, and bases that overlap
 *            otherwise do not occur.
 * Cost       Sorting the vectors that take part; the vectors that come out.
 */
#include "models/network_compile.h"

#include <stdlib.h>

enum { EVERYWHERE = 0 }; /* the scope of a global element; of local ones operand + 1 */

typedef struct element {
    uint32_t key; /* a label or a word; see key_of */
    uint32_t scope;
    int64_t degree;
    const exp_sync *from;
    bool met; /* a vector that it concerns */
} element;

/* `need` operands at a time, of all (count 0), or of those in element[0 .. count-1]. */
typedef struct bid {
    const element *base;
    size_t count;
    uint64_t need;
} bid;

/* The entries of one operand under a label. */
typedef struct present {
    uint32_t operand;
    network_range range;
} present;

typedef struct par {
    network_compiler *c;
    const exp_node *n;
    VEC(element) element; /* ascending by key, scope 0 first, degree, scope */
    network_entries entry;
    VEC(bid) bid;
    VEC(present) present; /* operands that have the label */
    VEC(present) base;    /* of these the ones in a bid's base */
    VEC(network_range) chosen;
    VEC(size_t) choice; /* numbers in `base`, ascending */
} par;

/* ---- interfaces -------------------------------------------------------------------------- */

static int compare_elements(const void *a, const void *b)
{
    const element *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    bool local_x = x->scope != EVERYWHERE, local_y = y->scope != EVERYWHERE;
    if (local_x != local_y) return local_x - local_y;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return (x->scope > y->scope) - (x->scope < y->scope);
}

static void warn_of(const par *p, const exp_sync *s, uint32_t scope)
{
    exp_warn(s->at, p->c->options->log, "%s %s is in the interface, but %s does it",
             p->n->by_label ? "label" : "gate", s->name.at,
             scope == EVERYWHERE ? "no operand ever" : "its operand never");
}

/* A name that nobody has cannot concern anything. */
static int add_element(par *p, const exp_sync *s, uint32_t scope, err *e)
{
    const label_table *names = p->n->by_label ? p->c->labels : p->c->words;
    element x = { .key = label_table_find(names, s->name.at, s->name.bytes),
                  .scope = scope,
                  .degree = s->degree,
                  .from = s };
    if (x.key != LABEL_NONE) return vec_push(p->c->m, &p->element, x, e);
    warn_of(p, s, scope);
    return 0;
}

static int add_elements(par *p, err *e)
{
    const exp_node *n = p->n;
    for (size_t k = 0; k < n->global_count; k++)
        if (add_element(p, &n->global[k], EVERYWHERE, e) != 0) return (int)e->code;
    for (uint32_t i = 0; n->local && i < n->parts; i++)
        for (size_t k = 0; k < n->local_count[i]; k++)
            if (add_element(p, &n->local[i][k], i + 1, e) != 0) return (int)e->code;
    if (p->element.count == 0) return 0;
    qsort(p->element.at, p->element.count, sizeof *p->element.at, compare_elements);
    size_t kept = 1;
    for (size_t k = 1; k < p->element.count; k++)
        if (compare_elements(&p->element.at[k], &p->element.at[kept - 1]) != 0)
            p->element.at[kept++] = p->element.at[k];
    p->element.count = kept;
    return 0;
}

/* The first element of a key, or the first of a later one. */
static size_t find_key(const par *p, uint32_t key)
{
    size_t lo = 0, hi = p->element.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (p->element.at[mid].key < key) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* Does an element say something of operand `i` and this key? */
static bool concerns(par *p, uint32_t key, uint32_t i)
{
    bool some = false;
    for (size_t k = find_key(p, key); k < p->element.count; k++) {
        element *x = &p->element.at[k];
        if (x->key != key) break;
        if (x->scope == EVERYWHERE || x->scope == i + 1) some = x->met = true;
    }
    return some;
}

/* ---- who takes part ---------------------------------------------------------------------- */

/* What elements call a visible label. */
static int key_of(par *p, label_id l, uint32_t *key, bool *ends, err *e)
{
    network_split s;
    if (network_split_of(p->c, l, &s, e) != 0) return (int)e->code;
    *key = p->n->by_label ? l : s.gate;
    *ends = s.gate == p->c->termination;
    return 0;
}

static int sort_out(par *p, uint32_t i, const network_set *s, network_set *out, err *e)
{
    for (size_t k = 0; k < s->count; k++) {
        const network_vector *v = &s->at[k];
        uint32_t key = 0;
        bool ends = false, hidden = v->label == network_hidden(p->c);
        if (!hidden && key_of(p, v->label, &key, &ends, e) != 0) return (int)e->code;
        if (hidden || !(ends || p->n->all || concerns(p, key, i))) {
            if (network_set_push(p->c, out, v, p->n->at, e) != 0) return (int)e->code;
            continue;
        }
        network_entry x = { *v, i, v->label, 0, (uint32_t)k };
        if (vec_push(p->c->m, &p->entry, x, e) != 0) return (int)e->code;
    }
    return 0;
}

static int compare_entries(const void *a, const void *b)
{
    const network_entry *x = a, *y = b;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    if (x->operand != y->operand) return x->operand < y->operand ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* ---- bids -------------------------------------------------------------------------------- */

static bool in_base(const bid *b, uint32_t operand)
{
    for (size_t k = 0; k < b->count; k++)
        if (b->base[k].scope == operand + 1) return true;
    return b->count == 0;
}

/* Can `b` choose whatever `x` can? */
static bool covers(const bid *b, const bid *x)
{
    if (b->need != x->need) return false;
    if (b->count > 0 && x->count == 0) return false;
    for (size_t k = 0; k < x->count; k++)
        if (!in_base(b, x->base[k].scope - 1)) return false;
    return true;
}

static int add_bid(par *p, const bid *x, err *e)
{
    for (size_t k = 0; k < p->bid.count; k++) {
        if (covers(&p->bid.at[k], x)) return 0;
        if (!covers(x, &p->bid.at[k])) continue;
        p->bid.at[k] = *x;
        return 0;
    }
    return vec_push(p->c->m, &p->bid, *x, e);
}

/* The bids of a key. */
static int make_bids(par *p, uint32_t key, bool ends, err *e)
{
    size_t k = find_key(p, key), end;
    bid everyone = { .need = p->n->parts };
    p->bid.count = 0;
    if (ends || p->n->all) return add_bid(p, &everyone, e);
    for (; k < p->element.count && p->element.at[k].key == key; k = end) {
        const element *x = &p->element.at[k];
        for (end = k + 1; end < p->element.count; end++) {
            const element *y = &p->element.at[end];
            if (y->key != key || y->degree != x->degree) break;
            if (x->scope == EVERYWHERE || y->scope == EVERYWHERE) break;
        }
        bid b = everyone;
        if (x->scope != EVERYWHERE) b = (bid){ x, end - k, end - k };
        if (x->degree >= 0) b.need = (uint64_t)x->degree;
        if (b.need > 0 && add_bid(p, &b, e) != 0) return (int)e->code;
    }
    return 0;
}

/* ---- choices ----------------------------------------------------------------------------- */

static int make_choice(par *p, label_id label, network_set *out, err *e)
{
    p->chosen.count = 0;
    for (size_t k = 0; k < p->choice.count; k++)
        if (vec_push(p->c->m, &p->chosen, p->base.at[p->choice.at[k]].range, e) != 0)
            return (int)e->code;
    return network_product(p->c, out, p->chosen.at, p->chosen.count, label, p->n->at, e);
}

/* The next choice in the order of the dictionary; false after the last one. */
static bool next_choice(par *p)
{
    size_t n = p->base.count, need = p->choice.count, k = need;
    while (k > 0 && p->choice.at[k - 1] == n - need + k - 1) k--;
    if (k == 0) return false;
    p->choice.at[k - 1]++;
    for (; k < need; k++) p->choice.at[k] = p->choice.at[k - 1] + 1;
    return true;
}

/* In how many ways so many of `from` are chosen. */
static double ways(size_t from, uint64_t need)
{
    double count = 1;
    for (uint64_t k = 0; k < need; k++)
        count = count * (double)(from - k) / (double)(k + 1);
    return count;
}

static int accept_bid(par *p, const bid *b, label_id label, network_set *out, err *e)
{
    p->base.count = p->choice.count = 0;
    for (size_t k = 0; k < p->present.count; k++)
        if (in_base(b, p->present.at[k].operand) &&
            vec_push(p->c->m, &p->base, p->present.at[k], e) != 0)
            return (int)e->code;
    if (p->base.count < b->need) return 0;
    double count = ways(p->base.count, b->need), parts = (double)b->need;
    if (network_expect(p->c, out, count, parts, p->n->at, e) != 0) return (int)e->code;
    for (size_t k = 0; k < b->need; k++)
        if (vec_push(p->c->m, &p->choice, k, e) != 0) return (int)e->code;
    do make_choice(p, label, out, e);
    while (e->code == ERR_NONE && next_choice(p));
    return (int)e->code;
}

/* All entries of one label. */
static int join(par *p, const network_entry *at, size_t count, network_set *out, err *e)
{
    uint32_t key = 0;
    bool ends = false;
    p->present.count = 0;
    for (size_t k = 0; k < count; k++) {
        if (k > 0 && at[k].operand == at[k - 1].operand) {
            p->present.at[p->present.count - 1].range.count++;
            continue;
        }
        present x = { at[k].operand, { &at[k], 1 } };
        if (vec_push(p->c->m, &p->present, x, e) != 0) return (int)e->code;
    }
    if (key_of(p, at->v.label, &key, &ends, e) != 0 || make_bids(p, key, ends, e) != 0)
        return (int)e->code;
    for (size_t k = 0; k < p->bid.count; k++)
        if (accept_bid(p, &p->bid.at[k], at->v.label, out, e) != 0) return (int)e->code;
    return 0;
}

static int join_all(par *p, network_set *out, err *e)
{
    network_entry *at = p->entry.at;
    size_t count = p->entry.count, end;
    if (count > 0) qsort(at, count, sizeof *at, compare_entries);
    for (size_t k = 0; k < count && e->code == ERR_NONE; k = end) {
        for (end = k + 1; end < count && at[end].word == at[k].word;) end++;
        join(p, &at[k], end - k, out, e);
    }
    return (int)e->code;
}

/* ---- the operator ------------------------------------------------------------------------ */

/* All gates are words now, so a name that is none is nobody's. */
static int know_words(network_compiler *c, err *e)
{
    network_split last;
    return network_split_of(c, label_table_count(c->labels) - 1, &last, e);
}

static int compose(par *p, network_set *s, network_set *out, err *e)
{
    if (know_words(p->c, e) != 0 || add_elements(p, e) != 0) return (int)e->code;
    for (uint32_t i = 0; i < p->n->parts; i++) {
        if (sort_out(p, i, &s[i], out, e) != 0) return (int)e->code;
        vec_release(p->c->m, &s[i]);
    }
    for (size_t k = 0; k < p->element.count; k++)
        if (!p->element.at[k].met)
            warn_of(p, p->element.at[k].from, p->element.at[k].scope);
    return join_all(p, out, e);
}

int network_par(network_compiler *c, const exp_node *n, network_set *s, network_set *out,
                err *e)
{
    par p = { .c = c, .n = n };
    compose(&p, s, out, e);
    vec_release(c->m, &p.element);
    vec_release(c->m, &p.entry);
    vec_release(c->m, &p.bid);
    vec_release(c->m, &p.present);
    vec_release(c->m, &p.base);
    vec_release(c->m, &p.chosen);
    vec_release(c->m, &p.choice);
    return (int)e->code;
}
