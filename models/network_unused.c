/*
 * network_unused - warnings of patterns that match no label of the operand: most often a
 * name that is spelt in another way elsewhere.
 *
 * Each pattern is tried alone; where patterns times labels would take long, all of a set
 * together must do.
 */
#include "models/network_compile.h"

enum { TRIALS_MAX = 1 << 22 };

/* The visible labels of a set of vectors. */
typedef struct visible {
    network_compiler *c;
    VEC(label_id) label;
} visible;

static int collect(visible *v, const network_set *s, err *e)
{
    network_compiler *c = v->c;
    size_t labels = label_table_count(c->labels);
    bool *seen = mem_get_array(c->m, labels, sizeof *seen, e);
    if (seen) seen[network_hidden(c)] = true;
    for (size_t i = 0; i < s->count && e->code == ERR_NONE; i++) {
        label_id l = s->at[i].label;
        if (!seen[l]) vec_push(c->m, &v->label, l, e);
        seen[l] = true;
    }
    mem_put(c->m, seen, labels * sizeof *seen);
    return (int)e->code;
}

static bool matches_some(const visible *v, const label_set *s)
{
    for (size_t i = 0; i < v->label.count; i++) {
        size_t bytes;
        const char *text = label_table_text(v->c->labels, v->label.at[i], &bytes);
        if (label_set_has(s, text, bytes)) return true;
    }
    return false;
}

/* A pattern as a set of its own. */
static int try_alone(const visible *v, label_mode mode, const label_rule *r, bool *some,
                     err *e)
{
    label_set *alone = NULL;
    if (label_set_open(&alone, v->c->m, mode, false, e) == 0 &&
        label_set_add(alone, r->from, r->from_bytes, v->c->net->fold, e) == 0)
        *some = matches_some(v, alone);
    label_set_close(alone);
    return (int)e->code;
}

static int warn_of(const visible *v, const char *what, label_mode mode,
                   const label_rule *r, exp_place at, err *e)
{
    bool some = true;
    if (mode == LABEL_SINGLE || mode == LABEL_MULTIPLE) mode = LABEL_PARTIAL;
    if (try_alone(v, mode, r, &some, e) != 0) return (int)e->code;
    if (!some)
        exp_warn(at, v->c->options->log, "%s: %s matches no label of the operand", what,
                 r->from);
    return 0;
}

static bool takes_long(const visible *v, size_t patterns)
{
    return (double)patterns * (double)v->label.count > TRIALS_MAX;
}

static int check_set(const visible *v, const char *what, const label_set *s, exp_place at,
                     err *e)
{
    size_t patterns = label_set_count(s);
    for (size_t i = 0; i < patterns && !takes_long(v, patterns); i++) {
        label_rule r = label_set_rule(s, i);
        if (warn_of(v, what, label_set_mode(s), &r, at, e) != 0) return (int)e->code;
    }
    if (takes_long(v, patterns) && !label_set_all_but(s) && !matches_some(v, s))
        exp_warn(at, v->c->options->log, "%s: nothing matches a label of the operand",
                 what);
    return 0;
}

static int check_map(const visible *v, const label_map *s, exp_place at, err *e)
{
    size_t patterns = label_map_count(s);
    for (size_t i = 0; i < patterns && !takes_long(v, patterns); i++) {
        label_rule r = label_map_rule(s, i);
        if (warn_of(v, "rename", label_map_mode(s), &r, at, e) != 0) return (int)e->code;
    }
    return 0;
}

static int check(const visible *v, const exp_node *n, err *e)
{
    if (n->kind == EXP_HIDE) return check_set(v, "hide", n->set, n->at, e);
    if (n->kind == EXP_CUT) return check_set(v, "cut", n->set, n->at, e);
    if (n->kind == EXP_RENAME) return check_map(v, n->map, n->at, e);
    for (size_t r = 0; r < n->rule_count; r++)
        for (size_t i = 0; i < n->rules[r].count; i++)
            if (check_set(v, "prio", n->rules[r].set[i], n->rules[r].at, e) != 0)
                return (int)e->code;
    return 0;
}

int network_unused(network_compiler *c, const exp_node *n, const network_set *s, err *e)
{
    visible v = { .c = c };
    if (c->options->log == NULL || n->composed) return 0;
    if (collect(&v, s, e) == 0) check(&v, n, e);
    vec_release(c->m, &v.label);
    return (int)e->code;
}
