#include "lang/mcl_macro.h"

#include "core/suggest.h"

#include <string.h>

void mcl_macros_release(mcl_macros *known, mem *m) { vec_release(m, &known->all); }

bool mcl_macros_has(const mcl_macros *known, const char *name)
{
    for (size_t i = 0; i < known->all.count; i++)
        if (strcmp(known->all.at[i]->name, name) == 0) return true;
    return false;
}

/* A name that is not a keyword, copied. */
static const char *take_name(mcl_scan *s, const char *what, err *e)
{
    if (mcl_scan_word(s, e) != 0) return NULL;
    if (s->kind == MCL_SCAN_NAME && !mcl_scan_is_keyword(s))
        return mcl_range_copy(s->text, s->token, e);
    mcl_scan_expected(s, e, what);
    return NULL;
}

static int take_byte(mcl_scan *s, const char *byte, const char *what, err *e)
{
    if (mcl_scan_word(s, e) != 0) return (int)e->code;
    return mcl_scan_is(s, byte) ? 0 : mcl_scan_expected(s, e, what);
}

static int add_parameter(mcl_macro *d, const char **names, mcl_scan *s, err *e)
{
    const char *name = take_name(s, "the name of a parameter", e);
    if (name == NULL) return (int)e->code;
    mcl_origin at = mcl_range_origin(s->token, s->call);
    for (uint32_t i = 0; i < d->arity; i++)
        if (strcmp(names[i], name) == 0)
            return mcl_text_error(
                s->text, at, ERR_INPUT, e,
                "two parameters are called %s; expected different names", name);
    if (d->arity == MCL_MACRO_PARAMETERS_MAX)
        return mcl_text_error(s->text, at, ERR_INPUT, e,
                              "more than %d parameters; expected fewer",
                              MCL_MACRO_PARAMETERS_MAX);
    names[d->arity++] = name;
    return 0;
}

/* ( P, Q ), or ( ) for none. */
static int take_parameters(mcl_macro *d, mcl_scan *s, err *e)
{
    const char *names[MCL_MACRO_PARAMETERS_MAX];
    if (take_byte(s, "(", "( and the parameters of the macro", e) != 0)
        return (int)e->code;
    mcl_scan ahead = *s;
    if (mcl_scan_word(&ahead, e) != 0) return (int)e->code;
    if (mcl_scan_is(&ahead, ")")) {
        *s = ahead;
    } else {
        do
            if (add_parameter(d, names, s, e) != 0 || mcl_scan_word(s, e) != 0)
                return (int)e->code;
        while (mcl_scan_is(s, ","));
        if (!mcl_scan_is(s, ")")) return mcl_scan_expected(s, e, ", or )");
    }
    d->parameter = arena_get(s->text->store, (d->arity + 1) * sizeof *d->parameter, e);
    if (d->parameter == NULL) return (int)e->code;
    if (d->arity > 0) memcpy(d->parameter, names, d->arity * sizeof *names);
    return take_byte(s, "=", "= and the text of the macro", e);
}

static int take_body(mcl_macro *d, mcl_scan *s, err *e)
{
    d->body = s->rest;
    for (;;) {
        if (mcl_scan_next(s, e) != 0) return (int)e->code;
        if (s->kind == MCL_SCAN_NAME && mcl_scan_is(s, "end_macro")) break;
        bool nested = s->kind == MCL_SCAN_NAME &&
                      (mcl_scan_is(s, "macro") || mcl_scan_is(s, "library"));
        if (s->kind == MCL_SCAN_END || nested)
            return mcl_text_error(s->text, mcl_range_origin(d->at, s->call), ERR_INPUT, e,
                                  "macro %s is not closed; expected end_macro before %s",
                                  d->name,
                                  nested ? "the next definition" : "the end of the text");
    }
    d->body.end = s->token.begin;
    return 0;
}

static void warn_if_known(const mcl_macros *known, const mcl_macro *d, const mcl_text *t)
{
    for (size_t i = known->all.count; i-- > 0;) {
        const mcl_macro *old = known->all.at[i];
        if (old->arity != d->arity || strcmp(old->name, d->name) != 0) continue;
        char where[200];
        mcl_text_where(t, mcl_range_origin(old->at, MCL_NO_CALL), where, sizeof where);
        mcl_text_warn(t, mcl_range_origin(d->at, MCL_NO_CALL),
                      "macro %s replaces the one defined at %s", d->name, where);
        return;
    }
}

int mcl_macro_define(mcl_macros *known, mcl_scan *s, err *e)
{
    arena *a = s->text->store;
    mcl_macro *d = arena_get(a, sizeof *d, e);
    if (d == NULL) return (int)e->code;
    *d = (mcl_macro){ .number = (uint32_t)known->all.count };
    if ((d->name = take_name(s, "the name of the macro", e)) == NULL) return (int)e->code;
    d->at = s->token;
    if (take_parameters(d, s, e) != 0 || take_body(d, s, e) != 0) return (int)e->code;
    warn_if_known(known, d, s->text);
    return vec_push(a->m, &known->all, d, e);
}

/* Why there is no such macro. */
static void explain(const mcl_macros *known, const mcl_text *t, const char *name,
                    uint32_t arity, uint32_t limit, mcl_origin at, err *e)
{
    suggest near = SUGGEST_INIT(name);
    const mcl_macro *other = NULL;
    for (uint32_t i = 0; i < limit; i++) {
        suggest_consider(&near, known->all.at[i]->name);
        if (strcmp(known->all.at[i]->name, name) == 0) other = known->all.at[i];
    }
    if (other)
        mcl_text_error(t, at, ERR_INPUT, e,
                       "macro %s has %u argument%s here; expected %u", name, arity,
                       arity == 1 ? "" : "s", other->arity);
    else if (limit < known->all.count && strcmp(known->all.at[limit]->name, name) == 0)
        mcl_text_error(t, at, ERR_INPUT, e,
                       "macro %s uses itself; expected macros defined before it", name);
    else if (limit < known->all.count && mcl_macros_has(known, name))
        mcl_text_error(t, at, ERR_INPUT, e,
                       "macro %s is not known yet here; expected its definition before",
                       name);
    else if (near.best)
        mcl_text_error(t, at, ERR_INPUT, e, "unknown macro %s; expected %s?", name,
                       near.best);
    else
        mcl_text_error(
            t, at, ERR_INPUT, e,
            "unknown macro %s; expected a name defined before, by macro or, for "
            "example, by library standard.mcl end_library",
            name);
}

const mcl_macro *mcl_macro_find(const mcl_macros *known, const mcl_text *t,
                                const char *name, uint32_t arity, uint32_t limit,
                                mcl_origin at, err *e)
{
    for (uint32_t i = limit; i-- > 0;) {
        const mcl_macro *d = known->all.at[i];
        if (d->arity == arity && strcmp(d->name, name) == 0) return d;
    }
    explain(known, t, name, arity, limit, at, e);
    return NULL;
}
