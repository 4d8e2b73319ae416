#include "lang/mcl_check.h"

#include "core/suggest.h"
#include "lang/label_regexp.h"

#include <string.h>

/* The binders around a place, innermost first. */
typedef struct scope {
    mcl_node *binder;
    bool odd;      /* negations above the binder */
    unsigned equs; /* above the binder */
    const struct scope *outer;
} scope;

typedef struct check {
    const mcl_text *text;
    const mcl_macros *known;
    err *e;
} check;

static mcl_origin place(const check *c, const mcl_node *n)
{
    return mcl_text_origin(c->text, n->at.begin);
}

/* Only mcl_check changes nodes, and only these two fields. */
static mcl_node *writable(const mcl_node *n) { return (mcl_node *)(uintptr_t)n; }

#define FAIL(c, n, ...) \
    mcl_text_error((c)->text, place(c, n), ERR_INPUT, (c)->e, __VA_ARGS__)

static int check_regexp(const check *c, const mcl_node *n)
{
    regex_t r;
    err why = ERR_INIT;
    if (label_regexp_open(&r, n->text, n->bytes, false, &why) != 0)
        return mcl_text_error(c->text, place(c, n), why.code, c->e, "%s", why.text);
    label_regexp_close(&r);
    return 0;
}

/* A regular formula; `op` is the Boolean operator right above, or NULL. */
static int check_regular(const check *c, const mcl_node *n, const char *op)
{
    bool boolean = mcl_kind_is_boolean(n->kind);
    bool action = boolean || n->kind == MCL_STRING || n->kind == MCL_REGEXP ||
                  n->kind == MCL_TRUE || n->kind == MCL_FALSE;
    if (op && !action)
        return FAIL(c, n,
                    "'%s' is given a regular formula; expected an action: a string, a "
                    "regular expression, or Boolean operators over them%s",
                    op, strcmp(op, "or") == 0 ? " ('|' is the choice of sequences)" : "");
    if (n->kind == MCL_REGEXP) return check_regexp(c, n);
    const char *inner = boolean ? mcl_kind_name(n->kind) : NULL;
    if (n->left && check_regular(c, n->left, inner) != 0) return (int)c->e->code;
    return n->right ? check_regular(c, n->right, inner) : 0;
}

static int unbound(const check *c, const mcl_node *n, const scope *s)
{
    suggest near = SUGGEST_INIT(n->text);
    const char *any = s ? s->binder->text : NULL;
    for (; s; s = s->outer) suggest_consider(&near, s->binder->text);
    if (mcl_macros_has(c->known, n->text))
        return FAIL(c, n, "%s is a macro; expected its arguments, %s (...)", n->text,
                    n->text);
    if (near.best)
        return FAIL(c, n, "the variable %s is not bound here; expected %s?", n->text,
                    near.best);
    if (any)
        return FAIL(c, n,
                    "the variable %s is not bound here; expected %s, or a mu or nu "
                    "around it",
                    n->text, any);
    return FAIL(c, n,
                "the variable %s is not bound; expected mu %s . or nu %s . around it",
                n->text, n->text, n->text);
}

static int check_variable(const check *c, mcl_node *n, const scope *all, bool odd,
                          unsigned equs)
{
    const scope *s = all;
    while (s && strcmp(s->binder->text, n->text) != 0) s = s->outer;
    if (s == NULL) return unbound(c, n, all);
    const char *sign = mcl_kind_name(s->binder->kind);
    if (s->equs != equs)
        return FAIL(c, n,
                    "%s stands under equ inside %s %s, which has no fixed point then; "
                    "expected and, or, implies",
                    n->text, sign, n->text);
    if (s->odd != odd)
        return FAIL(
            c, n,
            "%s stands under an odd number of negations inside %s %s, which has no "
            "fixed point then; expected an even number (the left of implies counts)",
            n->text, sign, n->text);
    n->binder = s->binder;
    s->binder->used = true;
    return 0;
}

/* Macros that are used inside each other have no choice: only the user's own are told. */
static void warn_if_hidden(const check *c, const mcl_node *n, const scope *s)
{
    if (place(c, n).call != MCL_NO_CALL) return;
    for (; s; s = s->outer) {
        if (strcmp(s->binder->text, n->text) != 0) continue;
        char where[200];
        mcl_text_where(c->text, place(c, s->binder), where, sizeof where);
        mcl_text_warn(c->text, place(c, n), "this %s hides the %s bound at %s", n->text,
                      n->text, where);
        return;
    }
}

static int check_state(const check *c, mcl_node *n, const scope *s, bool odd,
                       unsigned equs)
{
    mcl_node *left = writable(n->left), *right = writable(n->right);
    scope inner = { n, odd, equs, s };
    switch (n->kind) {
    case MCL_VARIABLE:
        return check_variable(c, n, s, odd, equs);
    case MCL_MU:
    case MCL_NU:
        warn_if_hidden(c, n, s);
        return check_state(c, left, &inner, odd, equs);
    case MCL_DIAMOND:
    case MCL_BOX:
        if (check_regular(c, left, NULL) != 0) return (int)c->e->code;
        return check_state(c, right, s, odd, equs);
    case MCL_LOOP:
    case MCL_NO_LOOP:
        return check_regular(c, left, NULL);
    default:
        break;
    }
    bool flip = n->kind == MCL_NOT || n->kind == MCL_IMPLIES;
    unsigned below = equs + (n->kind == MCL_EQU);
    if (left && check_state(c, left, s, odd ^ flip, below) != 0) return (int)c->e->code;
    return right ? check_state(c, right, s, odd, below) : 0;
}

int mcl_check(mcl_node *root, const mcl_text *t, const mcl_macros *known, err *e)
{
    check c = { t, known, e };
    return check_state(&c, root, NULL, false, 0);
}
