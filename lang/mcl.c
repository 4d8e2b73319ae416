#include "lang/mcl.h"

#include "lang/mcl_check.h"
#include "lang/mcl_expand.h"
#include "lang/mcl_grammar.h"
#include "lang/mcl_library.h"

#include <string.h>

struct mcl {
    mem *m;
    arena store;
    log_sink log;
    mcl_text text;
    mcl_macros known;
    const mcl_node *root; /* in the store */
    uint32_t nodes;
};

void mcl_close(mcl *f)
{
    if (f == NULL) return;
    mem *m = f->m;
    mcl_macros_release(&f->known, m);
    mcl_text_release(&f->text);
    arena_release(&f->store);
    mem_put(m, f, sizeof *f);
}

static mcl *fresh(mem *m, const mcl_options *o, err *e)
{
    mcl *f = mem_get(m, sizeof *f, e);
    if (f == NULL) return NULL;
    f->m = m;
    f->store = ARENA_INIT(m, 1 << 14);
    f->text.store = &f->store;
    if (o->log) f->log = *o->log;
    if (o->log) f->text.log = &f->log;
    return f;
}

/* The user's own text becomes the first file. */
static int take_text(mcl *f, const char *text, const mcl_options *o, err *e)
{
    const char *name = o->name ? o->name : "formula";
    size_t bytes = strlen(text);
    if (bytes > MCL_TEXT_MAX)
        return err_set(e, ERR_INPUT, "%s:1:1: more than %d MiB; expected a formula", name,
                       MCL_TEXT_MAX >> 20);
    char *copy = arena_get(&f->store, bytes + 1, e);
    char *name_copy = copy ? arena_get(&f->store, strlen(name) + 1, e) : NULL;
    if (name_copy == NULL) return (int)e->code;
    memcpy(copy, text, bytes + 1);
    strcpy(name_copy, name);
    return mcl_text_add_file(&f->text,
                             (mcl_file){ name_copy, copy, (uint32_t)bytes, 0, 0 }, e);
}

static int understand(mcl *f, const mcl_options *o, err *e)
{
    if (mcl_expand(&f->text, &f->known, o, e) != 0) return (int)e->code;
    mcl_grammar *p = mem_get(f->m, sizeof *p, e);
    if (p == NULL) return (int)e->code;
    *p = (mcl_grammar){ .store = &f->store, .text = &f->text, .e = e };
    int rc = mcl_grammar_run(p);
    if (rc == 0) rc = mcl_check(p->root, &f->text, &f->known, e);
    f->root = p->root;
    f->nodes = p->nodes;
    mem_put(f->m, p, sizeof *p);
    return rc;
}

/* Exactly one of text and path is given. */
static int open_formula(mcl **out, mem *m, const char *text, const char *path,
                        const mcl_options *o, err *e)
{
    static const mcl_options none = { 0 };
    if (o == NULL) o = &none;
    *out = NULL;
    mcl *f = fresh(m, o, e);
    if (f == NULL) return (int)e->code;
    int rc = text ? take_text(f, text, o, e) : mcl_library_read(&f->text, path, e);
    if (rc == 0) rc = understand(f, o, e);
    if (rc == 0) *out = f;
    else mcl_close(f);
    return rc;
}

int mcl_parse(mcl **out, mem *m, const char *text, const mcl_options *o, err *e)
{
    return open_formula(out, m, text, NULL, o, e);
}

int mcl_read(mcl **out, mem *m, const char *path, const mcl_options *o, err *e)
{
    return open_formula(out, m, NULL, path, o, e);
}

const mcl_node *mcl_root(const mcl *f) { return f->root; }

uint32_t mcl_node_count(const mcl *f) { return f->nodes; }

const char *mcl_expanded(const mcl *f, size_t *bytes)
{
    if (bytes) *bytes = f->text.expanded.count - 2;
    return f->text.expanded.at;
}

void mcl_where(const mcl *f, const mcl_node *n, char *into, size_t bytes)
{
    mcl_text_where(&f->text, mcl_text_origin(&f->text, n->at.begin), into, bytes);
}

int mcl_error(const mcl *f, const mcl_node *n, err_code code, err *e, const char *format,
              ...)
{
    va_list args;
    va_start(args, format);
    mcl_text_verror(&f->text, mcl_text_origin(&f->text, n->at.begin), code, e, format,
                    args);
    va_end(args);
    return (int)e->code;
}

void mcl_warn(const mcl *f, const mcl_node *n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mcl_text_vwarn(&f->text, mcl_text_origin(&f->text, n->at.begin), format, args);
    va_end(args);
}
