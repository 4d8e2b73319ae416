/*
 * network_prio - of the moves of a state only those that nothing stands above.
 *
 * Idea       Labels are told apart only by the sets of the rules that they belong to:
 *            labels with the same memberships are one class.  A set of a rule is above
 *            the next one; closed under transitivity over the classes that have a label,
 *            this must be a strict order.  A class with others above it gets a guard: the
 *            vectors of those.
 * Invariant  A guard's vectors are as they were at this operator: what happens to labels
 *            further out does not touch them, and they have guards of their own from
 *            further in.
 * Cost       Labels times sets; the cube of the number of classes over 64.
 *
 * Rules speak of visible labels.  Hidden moves may be below something, through `all but`;
 * they are never above.
 */
#include "models/network_compile.h"

#include <string.h>

enum { CLASSES_MAX = 8192 };

typedef struct prio {
    network_compiler *c;
    const exp_node *n;
    size_t sets;          /* of all rules */
    label_table *classes; /* memberships, a byte per set, are the texts */
    VEC(char) members;    /* scratch: memberships of one label */
    uint32_t *class_of;   /* per label: its class + 1 */
    size_t labels;
    uint64_t *above;    /* rows of classes: bit y of row x: y is above x */
    size_t words;       /* of a row */
    network_span *kept; /* per class: its vectors among the blockers */
} prio;

/* ---- classes ----------------------------------------------------------------------------- */

/* A hidden label is '<' where it may be below, a visible one '+' where it belongs. */
static int classify(prio *p, label_id l, err *e)
{
    size_t bytes, k = 0;
    bool hidden = l == network_hidden(p->c);
    const char *text = label_table_text(p->c->labels, l, &bytes);
    if (hidden) text = p->c->net->hidden.at, bytes = p->c->net->hidden.bytes;
    for (size_t r = 0; r < p->n->rule_count; r++)
        for (size_t i = 0; i < p->n->rules[r].count; i++, k++) {
            const label_set *s = p->n->rules[r].set[i];
            bool has = label_set_has(s, text, bytes) && (!hidden || label_set_all_but(s));
            p->members.at[k] = has ? (hidden ? '<' : '+') : '-';
        }
    label_id class;
    if (label_table_put(p->classes, p->members.at, p->sets, &class, e) != 0)
        return (int)e->code;
    p->class_of[l] = class + 1;
    return 0;
}

static int classify_all(prio *p, const network_set *s, err *e)
{
    for (size_t i = 0; i < s->count; i++) {
        label_id l = s->at[i].label;
        if (p->class_of[l] == 0 && classify(p, l, e) != 0) return (int)e->code;
    }
    size_t classes = label_table_count(p->classes);
    if (classes <= CLASSES_MAX) return 0;
    return err_set(e, ERR_LIMIT,
                   "%s:%u:%u: the rules tell more than %d kinds of labels apart",
                   p->n->at.file, p->n->at.line, p->n->at.column, (int)CLASSES_MAX);
}

static bool is_above(const prio *p, size_t x, size_t y) /* y above x */
{
    return p->above[x * p->words + y / 64] >> (y % 64) & 1;
}

/* ---- the order --------------------------------------------------------------------------- */

/* Does the class belong to set `k`, as somebody above or below? */
static bool belongs(const prio *p, size_t class, size_t k, char as)
{
    char c = label_table_text(p->classes, (label_id) class, NULL)[k];
    return c == '+' || c == as;
}

/* Set k of the rules is above set k + 1. */
static void put_pair(prio *p, size_t k)
{
    size_t classes = label_table_count(p->classes);
    for (size_t x = 0; x < classes; x++)
        for (size_t y = 0; belongs(p, x, k + 1, '<') && y < classes; y++)
            if (belongs(p, y, k, '+'))
                p->above[x * p->words + y / 64] |= (uint64_t)1 << (y % 64);
}

static void put_rules(prio *p)
{
    size_t k = 0;
    for (size_t r = 0; r < p->n->rule_count; r++) {
        for (size_t i = 0; i + 1 < p->n->rules[r].count; i++) put_pair(p, k + i);
        k += p->n->rules[r].count;
    }
}

/* Warshall: whatever is above y is above x when y is. */
static void close_order(prio *p)
{
    size_t classes = label_table_count(p->classes);
    for (size_t y = 0; y < classes; y++)
        for (size_t x = 0; x < classes; x++) {
            if (!is_above(p, x, y)) continue;
            for (size_t w = 0; w < p->words; w++)
                p->above[x * p->words + w] |= p->above[y * p->words + w];
        }
}

/* A label of the class, for messages. */
static const char *example(const prio *p, size_t class)
{
    for (label_id l = 0; l < p->labels; l++)
        if (p->class_of[l] == class + 1) return label_table_text(p->c->labels, l, NULL);
    return "";
}

/* The first rule that puts something of a circle above something else of it. */
static int refuse(const prio *p, size_t class, err *e)
{
    size_t classes = label_table_count(p->classes), k = 0;
    for (size_t r = 0; r < p->n->rule_count; k += p->n->rules[r++].count)
        for (size_t i = 0; i + 1 < p->n->rules[r].count; i++)
            for (size_t x = 0; x < classes; x++)
                if (is_above(p, x, class) && is_above(p, class, x) &&
                    belongs(p, x, k + i, '+'))
                    return exp_error(
                        p->n->rules[r].at, e,
                        "the rules put %s above itself; expected a strict order",
                        example(p, x));
    return exp_error(p->n->at, e,
                     "the rules put %s above itself; expected a strict order",
                     example(p, class));
}

static int make_order(prio *p, err *e)
{
    size_t classes = label_table_count(p->classes);
    p->words = (classes + 63) / 64;
    p->above = mem_get_array(p->c->m, classes * p->words, sizeof *p->above, e);
    if (p->above == NULL) return (int)e->code;
    put_rules(p);
    close_order(p);
    for (size_t x = 0; x < classes; x++)
        if (is_above(p, x, x)) return refuse(p, x, e);
    return 0;
}

/* ---- guards ------------------------------------------------------------------------------ */

/* Is the class above any other? */
static bool is_above_some(const prio *p, size_t class)
{
    for (size_t x = 0; x < label_table_count(p->classes); x++)
        if (is_above(p, x, class)) return true;
    return false;
}

/* How many vectors of each class guards may name, and where they will stand. */
static int make_room(prio *p, const network_set *s, err *e)
{
    network_set *all = &p->c->blocker;
    size_t first = all->count;
    for (size_t i = 0; i < s->count; i++)
        p->kept[p->class_of[s->at[i].label] - 1].count++;
    for (size_t x = 0; x < label_table_count(p->classes); x++) {
        if (!is_above_some(p, x)) p->kept[x].count = 0;
        p->kept[x].first = (uint32_t)first;
        first += p->kept[x].count;
    }
    double more = (double)(first - all->count);
    if (network_expect(p->c, all, more, 0, p->n->at, e) != 0 ||
        vec_reserve(p->c->m, all, first, e) != 0)
        return (int)e->code;
    all->count = first;
    return 0;
}

/* Vectors that guards may name stay as they are now, class by class. */
static int keep_vectors(prio *p, const network_set *s, uint32_t *next, err *e)
{
    if (make_room(p, s, e) != 0) return (int)e->code;
    for (size_t i = 0; i < s->count; i++) {
        size_t x = p->class_of[s->at[i].label] - 1;
        const network_span *k = &p->kept[x];
        if (k->count > 0) p->c->blocker.at[k->first + next[x]++] = s->at[i];
    }
    return 0;
}

/* The number + 1 of the guard of a class; 0 when nothing is above it. */
static int make_guard(prio *p, size_t class, uint32_t *out, err *e)
{
    network_compiler *c = p->c;
    network_span g = { .first = (uint32_t)c->above.count };
    *out = 0;
    for (size_t y = 0; y < label_table_count(p->classes); y++) {
        if (!is_above(p, class, y)) continue;
        if (vec_push(c->m, &c->above, p->kept[y], e) != 0) return (int)e->code;
        g.count++;
    }
    if (g.count == 0) return 0;
    *out = (uint32_t)c->guards.count + 1;
    return vec_push(c->m, &c->guards, g, e);
}

/* A vector's guards with one more. */
static int add_guard(network_compiler *c, network_vector *v, uint32_t guard, err *e)
{
    if (vec_reserve(c->m, &c->guard, c->guard.count + v->guards + 1, e) != 0)
        return (int)e->code;
    uint32_t first = (uint32_t)c->guard.count;
    for (uint32_t i = 0; i < v->guards; i++)
        c->guard.at[c->guard.count++] = c->guard.at[v->guard + i];
    c->guard.at[c->guard.count++] = guard;
    v->guard = first;
    v->guards++;
    return 0;
}

static int set_guards(prio *p, network_set *s, const uint32_t *guard, err *e)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t g = guard[p->class_of[s->at[i].label] - 1];
        if (g != 0 && add_guard(p->c, &s->at[i], g - 1, e) != 0) return (int)e->code;
    }
    return 0;
}

static int guard_all(prio *p, network_set *s, err *e)
{
    size_t classes = label_table_count(p->classes);
    uint32_t *guard = mem_get_array(p->c->m, classes, sizeof *guard, e);
    p->kept = mem_get_array(p->c->m, classes, sizeof *p->kept, e);
    if (e->code == ERR_NONE) keep_vectors(p, s, guard, e);
    for (size_t x = 0; x < classes && e->code == ERR_NONE; x++)
        make_guard(p, x, &guard[x], e);
    if (e->code == ERR_NONE) set_guards(p, s, guard, e);
    mem_put(p->c->m, guard, classes * sizeof *guard);
    mem_put(p->c->m, p->kept, classes * sizeof *p->kept);
    return (int)e->code;
}

/* ---- the operator ------------------------------------------------------------------------ */

static int prepare(prio *p, err *e)
{
    mem *m = p->c->m;
    for (size_t r = 0; r < p->n->rule_count; r++) p->sets += p->n->rules[r].count;
    p->labels = label_table_count(p->c->labels);
    p->class_of = mem_get_array(m, p->labels, sizeof *p->class_of, e);
    if (e->code != ERR_NONE || vec_reserve(m, &p->members, p->sets, e) != 0)
        return (int)e->code;
    return label_table_open(&p->classes, m, e);
}

int network_prio(network_compiler *c, const exp_node *n, network_set *s, err *e)
{
    prio p = { .c = c, .n = n };
    if (prepare(&p, e) == 0 && classify_all(&p, s, e) == 0 && make_order(&p, e) == 0)
        guard_all(&p, s, e);
    size_t rows = p.classes ? label_table_count(p.classes) * p.words : 0;
    mem_put(c->m, p.above, rows * sizeof *p.above);
    mem_put(c->m, p.class_of, p.labels * sizeof *p.class_of);
    vec_release(c->m, &p.members);
    label_table_close(p.classes);
    return (int)e->code;
}
