#include "lang/exp_check.h"

#include <string.h>

typedef struct checker {
    exp_language language;
    const log_sink *log;
    err *e;
} checker;

static void warn_of_offers(const checker *c, const exp_node *n, exp_text name,
                           exp_place at)
{
    if (!n->by_label && label_gate(name.at, name.bytes) < name.bytes)
        exp_warn(at, c->log,
                 "%.200s has offers, so no gate is called so; expected a gate, or the "
                 "word label before par",
                 name.at);
}

static void check_element(const checker *c, const exp_node *n, const exp_sync *s)
{
    exp_text name = s->name;
    if (exp_language_is_hidden(c->language, name))
        exp_warn(s->at, c->log,
                 "the hidden label %.200s in an interface; expected a visible one, "
                 "hidden transitions go on alone",
                 name.at);
    else if (exp_language_is_termination(c->language, name))
        exp_warn(s->at, c->log,
                 "the gate of termination, %.200s, in an interface; all parts "
                 "synchronise on it anyway",
                 name.at);
    else warn_of_offers(c, n, name, s->at);
}

static bool same_element(const exp_sync *a, const exp_sync *b)
{
    return a->degree == b->degree && exp_text_equal(a->name, b->name);
}

static void check_interface(const checker *c, const exp_node *n, const exp_sync *s,
                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        check_element(c, n, &s[i]);
        for (size_t k = 0; k < i; k++)
            if (same_element(&s[i], &s[k])) {
                exp_warn(s[i].at, c->log, "%.200s is in this interface twice",
                         s[i].name.at);
                break;
            }
    }
}

/* How many parts list this element. */
static size_t listed(const exp_node *n, const exp_sync *s)
{
    size_t parts = 0;
    for (size_t i = 0; i < n->parts; i++)
        for (size_t k = 0; k < n->local_count[i]; k++)
            if (same_element(&n->local[i][k], s)) {
                parts++;
                break;
            }
    return parts;
}

static void check_degree(const checker *c, const exp_sync *s, size_t parts)
{
    if (s->degree > 0 && (uint64_t)s->degree > parts)
        exp_warn(
            s->at, c->log,
            "%.200s#%lld wants %lld parts together, of which there are %zu; it never "
            "happens",
            s->name.at, (long long)s->degree, (long long)s->degree, parts);
}

static void check_par(const checker *c, const exp_node *n)
{
    check_interface(c, n, n->global, n->global_count);
    for (size_t i = 0; i < n->global_count; i++) check_degree(c, &n->global[i], n->parts);
    for (size_t i = 0; i < n->parts; i++) {
        check_interface(c, n, n->local[i], n->local_count[i]);
        for (size_t k = 0; k < n->local_count[i]; k++)
            if (n->local[i][k].degree > 1)
                check_degree(c, &n->local[i][k], listed(n, &n->local[i][k]));
    }
}

static int check_vectors(const checker *c, const exp_node *n)
{
    for (size_t i = 0; i < n->vector_count; i++) {
        const exp_vector *v = &n->vector[i];
        size_t moving = 0;
        for (size_t k = 0; k < n->parts; k++) {
            if (v->item[k].at == NULL) continue;
            warn_of_offers(c, n, v->item[k], v->at);
            moving++;
        }
        if (moving == 0)
            return exp_error(
                v->at, c->e,
                "in this vector nobody moves; expected a label beside the _");
    }
    return 0;
}

static int check(const checker *c, const exp_node *n)
{
    if (n->kind == EXP_PAR) check_par(c, n);
    if (n->kind == EXP_VECTORS && check_vectors(c, n) != 0) return (int)c->e->code;
    for (size_t i = 0; i < n->parts; i++)
        if (check(c, n->part[i]) != 0) return (int)c->e->code;
    return 0;
}

int exp_check(const exp_node *root, exp_language language, const log_sink *log, err *e)
{
    checker c = { language, log, e };
    return check(&c, root);
}
