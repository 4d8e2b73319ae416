#include "lang/exp.h"

#include "lang/exp_check.h"
#include "lang/exp_grammar.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A network and what it owns; `net` is what others see. */
typedef struct network {
    exp_net net; /* first: the address of one is that of the other */
    mem *m;
    arena store;
    exp_files files;
    exp_grammar grammar;
} network;

void exp_close(exp_net *n)
{
    if (n == NULL) return;
    network *w = (network *)n;
    mem *m = w->m;
    for (size_t i = 0; i < w->grammar.sets.count; i++)
        label_set_close(w->grammar.sets.at[i]);
    for (size_t i = 0; i < w->grammar.maps.count; i++)
        label_map_close(w->grammar.maps.at[i]);
    vec_release(m, &w->grammar.sets);
    vec_release(m, &w->grammar.maps);
    exp_files_release(&w->files);
    arena_release(&w->store);
    mem_put(m, w, sizeof *w);
}

static network *fresh(const exp_options *o, err *e)
{
    network *w = mem_get(o->m, sizeof *w, e);
    if (w == NULL) return NULL;
    w->m = o->m;
    w->store = ARENA_INIT(o->m, 1 << 14);
    w->files.store = &w->store;
    w->grammar = (exp_grammar){
        .m = o->m, .log = o->log, .e = e, .store = &w->store, .files = &w->files
    };
    return w;
}

static int parse(network *w, const char *path, err *e)
{
    exp_grammar *p = &w->grammar;
    text_file *file;
    if (exp_files_text(&w->files, path, &file, e) != 0 || exp_scan_open(p, file) != 0)
        return (int)e->code;
    p->scan.behind = (exp_place){ file->name, 1, 1 };
    exp_yyparse(p);
    return (int)e->code;
}

/* What others see of it. */
static void show(network *w)
{
    exp_words words = exp_language_words(w->grammar.language);
    w->net.root = w->grammar.root;
    w->net.language = words.keyword;
    w->net.hidden = words.hidden;
    w->net.termination = words.termination;
    w->net.coaction = (exp_text){ EXP_COACTION, strlen(EXP_COACTION) };
    w->net.fold = words.fold;
    w->net.files = w->files.names.at;
    w->net.file_count = w->files.names.count;
}

int exp_read(exp_net **out, const char *path, const exp_options *o, err *e)
{
    *out = NULL;
    network *w = fresh(o, e);
    if (w == NULL) return (int)e->code;
    exp_grammar *p = &w->grammar;
    if (parse(w, path, e) == 0 &&
        exp_grammar_comm(p, &w->net.comm, &w->net.comm_count) == 0)
        exp_check(p->root, p->language, o, e);
    show(w);
    p->e = NULL; /* the caller's, for this call alone */
    p->log = NULL;
    if (e->code == ERR_NONE) *out = &w->net;
    else exp_close(&w->net);
    return (int)e->code;
}

int exp_error(exp_place at, err *e, const char *format, ...)
{
    char text[3000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return err_set(e, ERR_INPUT, "%s:%u:%u: %s", at.file, at.line, at.column, text);
}

void exp_warn(exp_place at, const log_sink *log, const char *format, ...)
{
    if (log == NULL) return;
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    log_warn(log, "%s:%u:%u: %s", at.file, at.line, at.column, text);
}
