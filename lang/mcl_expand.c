/*
 * mcl_expand - macros and libraries become plain text.
 * Idea       One walk over the user's file copies text to the output.  A macro call is
 *            replaced by a walk over its body, a parameter by a walk over its argument; an
 *            argument is walked in the frame of its caller, so parameters never mix.
 * Invariant  A body sees only macros defined before its own, an argument what its caller
 *            sees: so a macro cannot reach itself and every expansion ends.  How much text
 *            it may look at is bounded (mcl_scan.c), how deep calls may nest is, too.
 * Note       Substituted text stands between blanks: pieces never grow together to a token.
 */
#include "lang/mcl_expand.h"

#include "lang/mcl_library.h"
#include "lang/mcl_macro.h"

#include <string.h>

enum { NESTING_MAX = 200 }; /* calls and arguments inside each other */

/* A macro being expanded; the outermost frame has none. */
typedef struct frame {
    const mcl_macro *macro;
    const mcl_range *argument;  /* one per parameter */
    const struct frame *caller; /* where arguments are to be understood */
} frame;

typedef struct expansion {
    mcl_text *text;
    mcl_macros *known;
    const mcl_options *options;
    uint64_t work;
    unsigned nesting;
} expansion;

static int walk(expansion *x, const frame *f, mcl_range r, uint32_t call, err *e);

/* How many macros text in this frame may use. */
static uint32_t visible(const expansion *x, const frame *f)
{
    return f->macro ? f->macro->number : (uint32_t)x->known->all.count;
}

static int deeper(expansion *x, const frame *f, mcl_range r, mcl_origin at, uint32_t call,
                  err *e)
{
    if (x->nesting == NESTING_MAX)
        return mcl_text_error(
            x->text, at, ERR_INPUT, e,
            "more than %d macro calls inside each other; expected fewer", NESTING_MAX);
    x->nesting++;
    int rc = mcl_text_blank(x->text, at, e);
    if (rc == 0) rc = walk(x, f, r, call, e);
    if (rc == 0) rc = mcl_text_blank(x->text, at, e);
    x->nesting--;
    return rc;
}

/* The arguments of a call; `s` stands behind the opening parenthesis. */
typedef struct arguments {
    mcl_range at[MCL_MACRO_PARAMETERS_MAX];
    uint32_t count;
} arguments;

static int end_argument(arguments *a, mcl_scan *s, uint32_t begin, err *e)
{
    if (a->count == MCL_MACRO_PARAMETERS_MAX)
        return mcl_text_error(s->text, mcl_range_origin(s->token, s->call), ERR_INPUT, e,
                              "more than %d arguments; expected fewer",
                              MCL_MACRO_PARAMETERS_MAX);
    a->at[a->count++] = (mcl_range){ s->token.file, begin, s->token.begin };
    return 0;
}

static bool is_empty(const mcl_scan *s, mcl_range r)
{
    const char *text = mcl_range_text(s->text, r);
    return strspn(text, " \t\r\n\v\f") >= r.end - r.begin;
}

static int take_arguments(arguments *a, mcl_scan *s, mcl_origin at, const char *name,
                          err *e)
{
    uint32_t begin = s->rest.begin;
    for (unsigned open = 1; open > 0;) {
        if (mcl_scan_next(s, e) != 0) return (int)e->code;
        if (s->kind == MCL_SCAN_END)
            return mcl_text_error(s->text, at, ERR_INPUT, e,
                                  "the arguments of %s are not closed; expected )", name);
        if (mcl_scan_is(s, "(")) open++;
        if (mcl_scan_is(s, ")")) open--;
        bool over = open == 0 || (open == 1 && mcl_scan_is(s, ","));
        if (!over) continue;
        if (end_argument(a, s, begin, e) != 0) return (int)e->code;
        begin = s->token.end;
    }
    if (a->count == 1 && is_empty(s, a->at[0])) a->count = 0; /* M () */
    return 0;
}

/* A call is kept for messages; its number is what the pieces of the body refer to. */
static int note_call(expansion *x, const char *name, mcl_origin at, uint32_t *call,
                     err *e)
{
    *call = (uint32_t)x->text->calls.count;
    mcl_call c = { name, at };
    return vec_push(x->text->store->m, &x->text->calls, c, e);
}

/* The call of the name that was the last token; `s` moves behind it. */
static int expand_call(expansion *x, const frame *f, mcl_scan *s, err *e)
{
    mcl_origin at = mcl_range_origin(s->token, s->call);
    arena_mark mark = arena_save(x->text->store);
    const char *name = mcl_range_copy(x->text, s->token, e);
    if (name == NULL || mcl_scan_word(s, e) != 0) return (int)e->code; /* the ( */
    arguments a = { .count = 0 };
    if (take_arguments(&a, s, at, name, e) != 0) return (int)e->code;
    const mcl_macro *d =
        mcl_macro_find(x->known, x->text, name, a.count, visible(x, f), at, e);
    arena_restore(x->text->store, mark); /* `name` dies here */
    uint32_t call;
    if (d == NULL || note_call(x, d->name, at, &call, e) != 0) return (int)e->code;
    frame inner = { d, a.at, f };
    return deeper(x, &inner, d->body, at, call, e);
}

/* library a.mcl, b.mcl end_library: names reach to a blank, a comma or their quote. */
static int take_library_name(mcl_scan *s, mcl_range *name, err *e)
{
    if (mcl_scan_word(s, e) != 0) return (int)e->code;
    *name = s->token;
    if (s->kind == MCL_SCAN_QUOTED) {
        name->begin++, name->end--;
        return 0;
    }
    if (s->kind == MCL_SCAN_END || mcl_scan_is(s, ",") || mcl_scan_is(s, "end_library"))
        return mcl_scan_expected(s, e, "the name of a library file");
    const char *text = s->text->files.at[name->file].text;
    while (s->rest.begin < s->rest.end && !strchr(" \t\r\n,\"'", text[s->rest.begin]))
        s->rest.begin++;
    name->end = s->rest.begin;
    return 0;
}

static int include(expansion *x, const frame *f, mcl_range name, err *e)
{
    bool fresh;
    mcl_origin at = mcl_range_origin(name, MCL_NO_CALL);
    const char *path = mcl_range_copy(x->text, name, e);
    if (path == NULL || mcl_library_add(x->text, path, at, x->options, &fresh, e) != 0)
        return (int)e->code;
    if (!fresh) return 0;
    uint32_t file = (uint32_t)x->text->files.count - 1;
    mcl_range all = { file, 0, x->text->files.at[file].bytes };
    return deeper(x, f, all, at, MCL_NO_CALL, e);
}

static int expand_library(expansion *x, const frame *f, mcl_scan *s, err *e)
{
    do {
        mcl_range name;
        if (take_library_name(s, &name, e) != 0 || include(x, f, name, e) != 0 ||
            mcl_scan_word(s, e) != 0)
            return (int)e->code;
    } while (mcl_scan_is(s, ","));
    if (mcl_scan_is(s, "end_library")) return 0;
    return mcl_scan_expected(s, e, ", or end_library");
}

/* macro, library: allowed in a file, not in a body or an argument. */
static int expand_definition(expansion *x, const frame *f, mcl_scan *s, err *e)
{
    bool macro = mcl_scan_is(s, "macro"), library = mcl_scan_is(s, "library");
    mcl_origin at = mcl_range_origin(s->token, s->call);
    if (!macro && !library)
        return mcl_text_error(
            x->text, at, ERR_INPUT, e, "%.*s without a beginning; expected %.*s before",
            (int)(s->token.end - s->token.begin), mcl_range_text(x->text, s->token),
            (int)(s->token.end - s->token.begin - 4),
            mcl_range_text(x->text, s->token) + 4);
    if (x->options->one_text)
        return mcl_text_error(x->text, at, ERR_INPUT, e,
                              "a macro or a library; expected a formula alone");
    if (f->macro || s->call != MCL_NO_CALL)
        return mcl_text_error(x->text, at, ERR_INPUT, e,
                              "a definition inside a macro; expected it before");
    return macro ? mcl_macro_define(x->known, s, e) : expand_library(x, f, s, e);
}

/* The argument for the name that was the last token, or NULL when it is no parameter. */
static const mcl_range *argument_of(const frame *f, const mcl_scan *s)
{
    for (uint32_t i = 0; f->macro && i < f->macro->arity; i++)
        if (mcl_scan_is(s, f->macro->parameter[i])) return &f->argument[i];
    return NULL;
}

/* Does a parenthesis follow the last token? */
static int is_call(const mcl_scan *s, bool *out, err *e)
{
    mcl_scan ahead = *s;
    int rc = mcl_scan_word(&ahead, e);
    *out = rc == 0 && mcl_scan_is(&ahead, "(");
    return rc;
}

static int expand_name(expansion *x, const frame *f, mcl_scan *s, err *e)
{
    mcl_origin at = mcl_range_origin(s->token, s->call);
    const mcl_range *argument = argument_of(f, s);
    if (argument) return deeper(x, f->caller, *argument, at, s->call, e);
    bool call = false;
    if (mcl_scan_is_keyword(s)) {
        if (mcl_scan_is(s, "macro") || mcl_scan_is(s, "library") ||
            mcl_scan_is(s, "end_macro") || mcl_scan_is(s, "end_library"))
            return expand_definition(x, f, s, e);
    } else if (is_call(s, &call, e) != 0) {
        return (int)e->code;
    }
    return call ? expand_call(x, f, s, e) : mcl_text_append(x->text, at, s->token.end, e);
}

static int walk(expansion *x, const frame *f, mcl_range r, uint32_t call, err *e)
{
    mcl_scan s = { .text = x->text, .rest = r, .call = call, .work = &x->work };
    for (;;) {
        if (mcl_scan_next(&s, e) != 0) return (int)e->code;
        mcl_origin at = mcl_range_origin(s.token, call);
        int rc;
        if (s.kind == MCL_SCAN_END) return 0;
        else if (s.kind == MCL_SCAN_NAME) rc = expand_name(x, f, &s, e);
        else if (s.kind == MCL_SCAN_COMMENT) rc = mcl_text_blank(x->text, at, e);
        else rc = mcl_text_append(x->text, at, s.token.end, e);
        if (rc != 0) return rc;
    }
}

int mcl_expand(mcl_text *t, mcl_macros *known, const mcl_options *o, err *e)
{
    expansion x = { .text = t, .known = known, .options = o };
    mem *m = t->store->m;
    mcl_range all = { 0, 0, t->files.at[0].bytes };
    if (walk(&x, &(frame){ 0 }, all, MCL_NO_CALL, e) != 0) return (int)e->code;
    for (int i = 0; i < 2; i++)
        if (vec_push(m, &t->expanded, '\0', e) != 0) return (int)e->code;
    return 0;
}
