/*
 * network_compile - a tree of operators becomes one set of vectors, bottom-up.
 *
 * Idea       An automaton is a vector per label.  hide, rename and cut change or drop the
 *            labels of vectors; operators of composition join vectors (network_par,
 *            network_sync); prio leaves guards (network_prio).
 * Invariant  A set has all vectors of its subtree and no others: the moves of the subtree
 *            in a state are those of its vectors that are enabled there and not held
 *            back.
 * Cost       What the sets have in all; joins sort what they join.
 * Source     Lang, EXP.OPEN 2.0 (IFM 2005), compiles to vectors in the same way.
 */
#include "models/network_compile.h"

#include <string.h>

/* Beyond these a network explodes before it is explored. */
enum { VECTORS_MAX = 1 << 24, PARTS_MAX = 1 << 26 };

/* ---- labels ------------------------------------------------------------------------------ */

label_id network_hidden(const network_compiler *c)
{
    return label_table_hidden(c->labels);
}

static int split_next(network_compiler *c, err *e)
{
    size_t bytes;
    const char *text = label_table_text(c->labels, (label_id)c->split.count, &bytes);
    size_t gate = label_gate(text, bytes);
    network_split s;
    if (label_table_put(c->words, text, gate, &s.gate, e) != 0 ||
        label_table_put(c->words, text + gate, bytes - gate, &s.offers, e) != 0)
        return (int)e->code;
    return vec_push(c->m, &c->split, s, e);
}

int network_split_of(network_compiler *c, label_id l, network_split *out, err *e)
{
    while (c->split.count <= l)
        if (split_next(c, e) != 0) return (int)e->code;
    *out = c->split.at[l];
    return 0;
}

int network_join_label(network_compiler *c, const exp_text *gate, uint32_t offers,
                       label_id *out, err *e)
{
    size_t bytes;
    const char *text = label_table_text(c->words, offers, &bytes);
    if (label_table_put(c->labels, gate->at, gate->bytes, out, e) != 0)
        return (int)e->code;
    if (*out == network_hidden(c) || bytes == 0) return 0;
    if (vec_reserve(c->m, &c->text, gate->bytes + bytes, e) != 0) return (int)e->code;
    memcpy(c->text.at, gate->at, gate->bytes);
    memcpy(c->text.at + gate->bytes, text, bytes);
    return label_table_put(c->labels, c->text.at, gate->bytes + bytes, out, e);
}

/* ---- sets -------------------------------------------------------------------------------- */

int network_expect(const network_compiler *c, const network_set *s, double vectors,
                   double parts, exp_place at, err *e)
{
    if ((double)s->count + vectors <= VECTORS_MAX &&
        (double)c->part.count + vectors * parts <= PARTS_MAX)
        return 0;
    return err_set(e, ERR_LIMIT,
                   "%s:%u:%u: labels can be combined in more than %d ways; a smaller "
                   "interface or fewer labels are needed",
                   at.file, at.line, at.column, (int)VECTORS_MAX);
}

int network_set_push(network_compiler *c, network_set *s, const network_vector *v,
                     exp_place at, err *e)
{
    if (network_expect(c, s, 1, 1, at, e) != 0) return (int)e->code;
    return vec_push(c->m, s, *v, e);
}

static int append_vector(network_compiler *c, network_vector *to, const network_vector *v,
                         err *e)
{
    if (vec_reserve(c->m, &c->part, c->part.count + v->parts, e) != 0 ||
        vec_reserve(c->m, &c->guard, c->guard.count + v->guards, e) != 0)
        return (int)e->code;
    for (uint32_t i = 0; i < v->parts; i++)
        c->part.at[c->part.count++] = c->part.at[v->first + i];
    for (uint32_t i = 0; i < v->guards; i++)
        c->guard.at[c->guard.count++] = c->guard.at[v->guard + i];
    to->parts += v->parts;
    to->guards += v->guards;
    return 0;
}

/* The vector of one choice. */
static int push_choice(network_compiler *c, network_set *out, const network_range *r,
                       size_t count, label_id label, exp_place at, err *e)
{
    network_vector v = { .label = label,
                         .first = (uint32_t)c->part.count,
                         .guard = (uint32_t)c->guard.count };
    for (size_t i = 0; i < count; i++)
        if (append_vector(c, &v, &r[i].at[c->pick.at[i]].v, e) != 0) return (int)e->code;
    return network_set_push(c, out, &v, at, e);
}

/* The next choice, the last participant fastest; false after the last one. */
static bool next_choice(network_compiler *c, const network_range *r, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        if (++c->pick.at[i] < r[i].count) return true;
        c->pick.at[i] = 0;
    }
    return false;
}

int network_product(network_compiler *c, network_set *out, const network_range *r,
                    size_t count, label_id label, exp_place at, err *e)
{
    double ways = 1;
    if (vec_reserve(c->m, &c->pick, count, e) != 0) return (int)e->code;
    for (size_t i = 0; i < count; i++) {
        ways *= (double)r[i].count;
        c->pick.at[i] = 0;
    }
    if (ways == 0) return 0;
    if (network_expect(c, out, ways, (double)count, at, e) != 0) return (int)e->code;
    do push_choice(c, out, r, count, label, at, e);
    while (e->code == ERR_NONE && next_choice(c, r, count));
    return (int)e->code;
}

/* ---- hide, cut, rename ------------------------------------------------------------------- */

/* Markers beside the new number of a label. */
enum { REMOVED = UINT32_MAX, UNKNOWN = UINT32_MAX - 1 };

typedef struct relabelling {
    const exp_node *n;
    label_id *to; /* per label: its new number, or a marker */
    size_t room;
    arena memory;
} relabelling;

static int rename_label(network_compiler *c, relabelling *r, const char *text,
                        size_t bytes, label_id *out, err *e)
{
    const char *now = NULL;
    arena_mark mark = arena_save(&r->memory);
    if (label_map_apply(r->n->map, &r->memory, text, bytes, &now, &bytes, e) == 0)
        label_table_put(c->labels, now, bytes, out, e);
    arena_restore(&r->memory, mark);
    return (int)e->code;
}

/* What becomes of a visible label. */
static int relabel(network_compiler *c, relabelling *r, label_id l, label_id *out, err *e)
{
    size_t bytes;
    const char *text = label_table_text(c->labels, l, &bytes);
    if (r->n->kind == EXP_RENAME) return rename_label(c, r, text, bytes, out, e);
    bool has = label_set_has(r->n->set, text, bytes);
    *out = !has ? l : r->n->kind == EXP_HIDE ? network_hidden(c) : REMOVED;
    return 0;
}

static int relabel_all(network_compiler *c, relabelling *r, network_set *s, err *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        network_vector v = s->at[i];
        label_id *to = &r->to[v.label];
        if (*to == UNKNOWN && relabel(c, r, v.label, to, e) != 0) return (int)e->code;
        if (*to == REMOVED) continue;
        v.label = *to;
        s->at[kept++] = v;
    }
    s->count = kept;
    return 0;
}

/* Hidden transitions are neither cut nor renamed. */
static int apply_labels(network_compiler *c, const exp_node *n, network_set *s, err *e)
{
    relabelling r = { .n = n, .room = label_table_count(c->labels) };
    r.memory = ARENA_INIT(c->m, 4096);
    r.to = mem_get_array(c->m, r.room, sizeof *r.to, e);
    if (r.to == NULL) return (int)e->code;
    for (size_t i = 0; i < r.room; i++) r.to[i] = UNKNOWN;
    r.to[network_hidden(c)] = network_hidden(c);
    relabel_all(c, &r, s, e);
    mem_put(c->m, r.to, r.room * sizeof *r.to);
    arena_release(&r.memory);
    return (int)e->code;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static int compile(network_compiler *c, const exp_node *n, network_set *out, err *e);

static int compose(network_compiler *c, const exp_node *n, network_set *s,
                   network_set *out, err *e)
{
    for (size_t i = 0; i < n->parts; i++)
        if (compile(c, n->part[i], &s[i], e) != 0) return (int)e->code;
    return n->kind == EXP_PAR ? network_par(c, n, s, out, e)
                              : network_sync(c, n, s, out, e);
}

static int compile_parts(network_compiler *c, const exp_node *n, network_set *out, err *e)
{
    network_set *s = mem_get_array(c->m, n->parts, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    compose(c, n, s, out, e);
    for (size_t i = 0; i < n->parts; i++) vec_release(c->m, &s[i]);
    mem_put(c->m, s, n->parts * sizeof *s);
    return (int)e->code;
}

/* Trees are at most EXP_HEIGHT_MAX high. */
static int compile(network_compiler *c, const exp_node *n, network_set *out, err *e)
{
    switch (n->kind) {
    case EXP_LTS:
        return network_component(c, n, out, e);
    case EXP_HIDE:
    case EXP_CUT:
    case EXP_RENAME:
    case EXP_PRIO:
        if (compile(c, n->part[0], out, e) != 0 || network_unused(c, n, out, e) != 0)
            return (int)e->code;
        return n->kind == EXP_PRIO ? network_prio(c, n, out, e)
                                   : apply_labels(c, n, out, e);
    default:
        return compile_parts(c, n, out, e);
    }
}

static int prepare(network_compiler *c, err *e)
{
    label_id hidden;
    const exp_net *net = c->net;
    c->termination = LABEL_NONE;
    c->met = mem_get_array(c->m, c->options->hidden_count, sizeof *c->met, e);
    if (c->met == NULL || label_table_open(&c->labels, c->m, e) != 0 ||
        label_table_open(&c->words, c->m, e) != 0 ||
        load_options_hide(c->options, c->labels, e) != 0 ||
        label_table_hide(c->labels, net->hidden.at, e) != 0)
        return (int)e->code;
    const char *i = LABEL_HIDDEN_NAME;
    label_table_put(c->labels, i, strlen(i), &hidden, e);
    if (net->termination.at)
        label_table_put(c->words, net->termination.at, net->termination.bytes,
                        &c->termination, e);
    return (int)e->code;
}

int network_compile(network_compiler *c, err *e)
{
    if (prepare(c, e) != 0) return (int)e->code;
    return compile(c, c->net->root, &c->root, e);
}

void network_compile_close(network_compiler *c)
{
    network_component_close(c);
    mem_put(c->m, c->met, c->options->hidden_count * sizeof *c->met);
    label_table_close(c->labels);
    label_table_close(c->words);
    vec_release(c->m, &c->split);
    vec_release(c->m, &c->part);
    vec_release(c->m, &c->guard);
    vec_release(c->m, &c->guards);
    vec_release(c->m, &c->above);
    vec_release(c->m, &c->blocker);
    vec_release(c->m, &c->root);
    vec_release(c->m, &c->pick);
    vec_release(c->m, &c->text);
}
