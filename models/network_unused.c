/*
 * network_unused - warnings of patterns that match no label of the operand: most often a
 * name that is spelt in another way elsewhere.
 *
 * Patterns that are no names are tried until they match; where these times labels would
 * take long, nothing is said of the operator.
 */
#include "lang/exp_tree.h"
#include "lang/label_index.h"
#include "models/network_compile.h"

enum { TRIALS_MAX = 1 << 22 };

/* A pattern, its mode, and where it is warned of. */
typedef struct pattern {
    label_rule rule;
    label_mode mode;
    exp_place at;
} pattern;

typedef struct unused {
    network_compiler *c;
    const exp_node *n;
    VEC(label_id) label;  /* the visible ones of the operand */
    VEC(pattern) pattern; /* of the operator, as the index numbers them */
    label_index *index;
} unused;

static int collect_labels(unused *u, const network_set *s, err *e)
{
    network_compiler *c = u->c;
    size_t labels = label_table_count(c->labels);
    bool *seen = mem_get_array(c->m, labels, sizeof *seen, e);
    if (seen) seen[network_hidden(c)] = true;
    for (size_t i = 0; i < s->count && e->code == ERR_NONE; i++) {
        label_id l = s->at[i].label;
        if (!seen[l]) vec_push(c->m, &u->label, l, e);
        seen[l] = true;
    }
    mem_put(c->m, seen, labels * sizeof *seen);
    return (int)e->code;
}

static int add_set(unused *u, const label_set *s, exp_place at, err *e)
{
    size_t first = u->pattern.count;
    for (size_t i = 0; i < label_set_count(s); i++) {
        pattern p = { label_set_rule(s, i), label_set_mode(s), at };
        if (vec_push(u->c->m, &u->pattern, p, e) != 0) return (int)e->code;
    }
    return label_index_add_set(u->index, s, first, 1, e);
}

static int add_map(unused *u, const label_map *s, exp_place at, err *e)
{
    for (size_t i = 0; i < label_map_count(s); i++) {
        pattern p = { label_map_rule(s, i), label_map_mode(s), at };
        if (vec_push(u->c->m, &u->pattern, p, e) != 0) return (int)e->code;
    }
    return label_index_add_map(u->index, s, 0, 1, e);
}

static int collect_patterns(unused *u, err *e)
{
    const exp_node *n = u->n;
    if (label_index_open(&u->index, u->c->m, e) != 0) return (int)e->code;
    if (n->kind == EXP_RENAME) return add_map(u, n->map, n->at, e);
    if (n->kind != EXP_PRIO) return add_set(u, n->set, n->at, e);
    for (size_t r = 0; r < n->rule_count; r++)
        for (size_t i = 0; i < n->rules[r].count; i++)
            if (add_set(u, n->rules[r].set[i], n->rules[r].at, e) != 0)
                return (int)e->code;
    return 0;
}

/* What looks behind gates was warned of when it was read. */
static void warn_of(const unused *u, const pattern *p)
{
    if (p->mode == LABEL_GATE &&
        label_pattern_has_offers(p->rule.from, p->rule.from_bytes))
        return;
    exp_warn(p->at, u->c->options->log, "%s: %s matches no label of the operand",
             exp_kind_name(u->n->kind), p->rule.from);
}

static int check(const unused *u, err *e)
{
    size_t count = u->pattern.count;
    if ((double)label_index_tried(u->index) * (double)u->label.count > TRIALS_MAX)
        return 0;
    bool *hit = mem_get_array(u->c->m, count, sizeof *hit, e);
    if (hit == NULL) return (int)e->code;
    for (size_t i = 0; i < u->label.count; i++) {
        size_t bytes;
        const char *text = label_table_text(u->c->labels, u->label.at[i], &bytes);
        label_index_find(u->index, text, bytes, hit);
    }
    for (size_t i = 0; i < count; i++)
        if (!hit[i]) warn_of(u, &u->pattern.at[i]);
    mem_put(u->c->m, hit, count * sizeof *hit);
    return 0;
}

int network_unused(network_compiler *c, const exp_node *n, const network_set *s, err *e)
{
    unused u = { .c = c, .n = n };
    if (c->options->log == NULL || n->composed) return 0;
    if (collect_labels(&u, s, e) == 0 && collect_patterns(&u, e) == 0) check(&u, e);
    vec_release(c->m, &u.label);
    vec_release(c->m, &u.pattern);
    label_index_close(u.index);
    return (int)e->code;
}
