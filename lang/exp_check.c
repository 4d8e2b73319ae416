#include "lang/exp_check.h"

#include "core/label_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How often the parts of a par list an element. */
typedef struct tally {
    size_t parts;
    size_t last; /* the interface that it was met in last, from 1 */
} tally;

typedef struct checker {
    exp_language language;
    mem *m;
    const log_sink *log;
    err *e;
    VEC(char) text;       /* scratch */
    label_table *element; /* of one par, as texts */
    VEC(tally) tally;     /* of each */
} checker;

void exp_check_gate(exp_text name, bool pattern, const char *instead, exp_place at,
                    const log_sink *log)
{
    if (pattern ? label_pattern_has_offers(name.at, name.bytes)
                : label_gate(name.at, name.bytes) < name.bytes)
        exp_warn(at, log, "%.200s has offers, so no gate is called so; expected a gate%s",
                 name.at, instead);
}

static void check_name(const checker *c, const exp_node *n, exp_text name, exp_place at)
{
    if (!n->by_label)
        exp_check_gate(name, false, ", or the word label before par", at, c->log);
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
    else check_name(c, n, name, s->at);
}

/* ---- elements of interfaces ------------------------------------------------------------------ */

/* Its number: name and degree tell elements apart. */
static int number(checker *c, const exp_sync *s, label_id *out)
{
    size_t room = s->name.bytes + 24;
    if (vec_reserve(c->m, &c->text, room, c->e) != 0) return (int)c->e->code;
    memcpy(c->text.at, s->name.at, s->name.bytes);
    int tail = snprintf(c->text.at + s->name.bytes, 24, "#%" PRId64, s->degree);
    size_t bytes = s->name.bytes + (size_t)tail;
    if (label_table_put(c->element, c->text.at, bytes, out, c->e) != 0 ||
        *out < c->tally.count)
        return (int)c->e->code;
    return vec_push(c->m, &c->tally, (tally){ 0 }, c->e);
}

/* An interface's elements, each once. */
static int count(checker *c, const exp_sync *s, size_t many, size_t interface)
{
    label_id x;
    for (size_t i = 0; i < many; i++) {
        if (number(c, &s[i], &x) != 0) return (int)c->e->code;
        tally *t = &c->tally.at[x];
        t->parts += t->last != interface;
        t->last = interface;
    }
    return 0;
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

/* Of `parts` operands, or of those that list an element. */
static int check_interface(checker *c, const exp_node *n, const exp_sync *s, size_t many,
                           size_t interface, size_t parts)
{
    label_id x;
    for (size_t i = 0; i < many; i++) {
        if (number(c, &s[i], &x) != 0) return (int)c->e->code;
        tally *t = &c->tally.at[x];
        check_element(c, n, &s[i]);
        if (t->last == interface)
            exp_warn(s[i].at, c->log, "%.200s is in this interface twice", s[i].name.at);
        t->last = interface;
        if (parts > 0) check_degree(c, &s[i], parts);
        else if (s[i].degree > 1) check_degree(c, &s[i], t->parts);
    }
    return 0;
}

static int check_interfaces(checker *c, const exp_node *n)
{
    size_t interface = 0;
    for (size_t i = 0; i < n->parts; i++)
        if (count(c, n->local[i], n->local_count[i], ++interface) != 0)
            return (int)c->e->code;
    if (check_interface(c, n, n->global, n->global_count, ++interface, n->parts) != 0)
        return (int)c->e->code;
    for (size_t i = 0; i < n->parts; i++)
        if (check_interface(c, n, n->local[i], n->local_count[i], ++interface, 0) != 0)
            return (int)c->e->code;
    return 0;
}

static int check_par(checker *c, const exp_node *n)
{
    c->tally.count = 0;
    if (label_table_open(&c->element, c->m, c->e) == 0) check_interfaces(c, n);
    label_table_close(c->element);
    c->element = NULL;
    return (int)c->e->code;
}

/* ---- the tree --------------------------------------------------------------------------------- */

static int check_vectors(checker *c, const exp_node *n)
{
    for (size_t i = 0; i < n->vector_count; i++) {
        const exp_vector *v = &n->vector[i];
        size_t moving = 0;
        for (size_t k = 0; k < n->parts; k++) {
            if (v->item[k].at == NULL) continue;
            check_name(c, n, v->item[k], v->at);
            moving++;
        }
        if (moving == 0)
            return exp_error(
                v->at, c->e,
                "in this vector nobody moves; expected a label beside the _");
    }
    return 0;
}

static int check(checker *c, const exp_node *n)
{
    if (n->kind == EXP_PAR && c->log && check_par(c, n) != 0) return (int)c->e->code;
    if (n->kind == EXP_VECTORS && check_vectors(c, n) != 0) return (int)c->e->code;
    for (size_t i = 0; i < n->parts; i++)
        if (check(c, n->part[i]) != 0) return (int)c->e->code;
    return 0;
}

int exp_check(const exp_node *root, exp_language language, const exp_options *o, err *e)
{
    checker c = { .language = language, .m = o->m, .log = o->log, .e = e };
    check(&c, root);
    vec_release(o->m, &c.text);
    vec_release(o->m, &c.tally);
    return (int)e->code;
}
