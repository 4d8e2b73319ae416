/*
 * plugin.c - a shared object that defines `bespoke_model` (include/bespoke_model.h).
 *
 * Idea       Everything that the object says is looked at once, when it is said: its table when it
 *            is loaded, its shape when it is opened, a move when it is emitted.  What is wrong
 *            gets a sentence that names the function and, for a move, the state.
 * Invariant  Nothing of the object's own memory is kept but the model that `open` returned.
 * Cost       Per move one indirect call, two comparisons, one copy of the key.
 */
#include "models/plugin.h"

#include "include/bespoke_model.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static_assert((int)BESPOKE_KEY_WORDS_MAX == (int)MODEL_KEY_WORDS_MAX, "one bound");

typedef struct plugin {
    model base;
    void *library;              /* of dlopen */
    const bespoke_plugin *says; /* its table */
    void *self;                 /* what its `open` returned */
    label_table *labels;
    label_id *number; /* in `labels`, of each of its labels; hidden ones share one */
    uint32_t label_count;
    uint32_t *initial;
    char *path;
    const char *files[1]; /* = path */
} plugin;

static int wrong(const plugin *p, err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ERR_INPUT with the file's name before the sentence. */
static int wrong(const plugin *p, err *e, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return err_set(e, ERR_INPUT, "%s: %s", p->path, text);
}

/* What the object wrote is one line that ends. */
static const char *one_line(char *text, size_t bytes)
{
    text[bytes - 1] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    return text;
}

/* ---- loading ------------------------------------------------------------------------- */

static const char *without_prefix(const char *text, const char *prefix)
{
    size_t bytes = strlen(prefix);
    return strncmp(text, prefix, bytes) == 0 ? text + bytes : text;
}

/* dlopen searches the library path for a name without a slash; we mean the file. */
static int load(plugin *p, err *e)
{
    char here[PATH_MAX + 3];
    if (access(p->path, R_OK) != 0)
        return wrong(p, e, "cannot be opened: %s", strerror(errno));
    snprintf(here, sizeof here, "%s%s", strchr(p->path, '/') ? "" : "./", p->path);
    p->library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
    if (p->library == NULL) {
        const char *why = without_prefix(without_prefix(dlerror(), here), ": ");
        return wrong(p, e, "cannot be loaded: %s", why);
    }
    p->says = dlsym(p->library, "bespoke_model");
    if (p->says == NULL)
        return wrong(p, e,
                     "defines no bespoke_model; expected a plug-in (bespoke_model.h)");
    return 0;
}

/* The first two words are the same in every version. */
static int check_table(const plugin *p, err *e)
{
    const bespoke_plugin *s = p->says;
    if (s->abi != BESPOKE_MODEL_ABI)
        return wrong(p, e,
                     "speaks version %u of bespoke_model.h, this bespoke version %u; "
                     "build it again",
                     s->abi, BESPOKE_MODEL_ABI);
    if (s->bytes < sizeof *s)
        return wrong(p, e,
                     "bespoke_model has %u bytes; expected %zu: begin it with "
                     "BESPOKE_PLUGIN_HEAD",
                     s->bytes, sizeof *s);
    if (s->name == NULL) return wrong(p, e, "bespoke_model.name is NULL");
    if (s->open == NULL || s->moves == NULL)
        return wrong(p, e, "bespoke_model.%s is NULL; expected a function",
                     s->open ? "moves" : "open");
    if ((s->context_open == NULL) != (s->context_close == NULL))
        return wrong(p, e, "bespoke_model.%s is NULL; expected both or none",
                     s->context_open ? "context_close" : "context_open");
    return 0;
}

/* ---- its shape ----------------------------------------------------------------------- */

static int check_shape(const plugin *p, const bespoke_shape *s, err *e)
{
    if (s->key_words < 1 || s->key_words > BESPOKE_KEY_WORDS_MAX)
        return wrong(p, e, "open says key_words %u; expected 1 to %d", s->key_words,
                     BESPOKE_KEY_WORDS_MAX);
    if (s->initial == NULL) return wrong(p, e, "open says no initial key");
    if (s->label_count > BESPOKE_LABELS_MAX)
        return wrong(p, e, "open says label_count %u; expected at most %d",
                     s->label_count, BESPOKE_LABELS_MAX);
    if (s->labels == NULL && s->label_count > 0)
        return wrong(p, e, "open says label_count %u, but no labels", s->label_count);
    return 0;
}

static int check_label(const plugin *p, uint32_t i, const char *text, err *e)
{
    if (text == NULL) return wrong(p, e, "label %u is NULL; expected a text", i);
    if (*text == '\0') return wrong(p, e, "label %u is empty", i);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return wrong(p, e, "label %u has an unprintable character (byte 0x%02x)", i,
                         (unsigned char)*c);
    return 0;
}

/* `once` tells duplicates, also among labels that are hidden. */
static int enter_labels(plugin *p, const bespoke_shape *s, label_table *once, err *e)
{
    label_id number;
    for (uint32_t i = 0; i < s->label_count; i++) {
        const char *text = s->labels[i];
        if (check_label(p, i, text, e) != 0) return (int)e->code;
        if (label_table_put(once, text, strlen(text), &number, e) != 0)
            return (int)e->code;
        if (number != i)
            return wrong(p, e, "labels %u and %u are both \"%.100s\"", number, i, text);
        if (label_table_put(p->labels, text, strlen(text), &p->number[i], e) != 0)
            return (int)e->code;
    }
    return 0;
}

static int take_labels(plugin *p, const bespoke_shape *s, const load_options *o, err *e)
{
    label_table *once = NULL;
    p->number = mem_get_array(p->base.m, s->label_count, sizeof *p->number, e);
    if (p->number == NULL) return (int)e->code;
    p->label_count = s->label_count;
    if (label_table_open(&p->labels, p->base.m, e) == 0 &&
        load_options_hide(o, p->labels, e) == 0 &&
        label_table_open(&once, p->base.m, e) == 0)
        enter_labels(p, s, once, e);
    label_table_close(once);
    p->base.labels = p->labels;
    return (int)e->code;
}

static int take_shape(plugin *p, const bespoke_shape *s, const load_options *o, err *e)
{
    if (check_shape(p, s, e) != 0) return (int)e->code;
    p->initial = mem_get_array(p->base.m, s->key_words, sizeof *p->initial, e);
    if (p->initial == NULL) return (int)e->code;
    p->base.key_words = s->key_words;
    p->base.initial = memcpy(p->initial, s->initial, s->key_words * sizeof *p->initial);
    return take_labels(p, s, o, e);
}

static int ask_to_open(plugin *p, const char *const *arguments, size_t count,
                       const load_options *o, err *e)
{
    bespoke_shape shape = { .key_words = 0 };
    p->self = p->says->open(&shape, count, arguments);
    if (p->self) return take_shape(p, &shape, o, e);
    const char *why = one_line(shape.trouble, sizeof shape.trouble);
    return wrong(p, e, "%s", *why ? why : "open returned NULL and gives no reason");
}

/* ---- as a model ---------------------------------------------------------------------- */

static void plugin_close(model *base)
{
    plugin *p = (plugin *)base;
    mem *m = base->m;
    if (p->self && p->says->close) p->says->close(p->self);
    if (p->library) dlclose(p->library);
    label_table_close(p->labels);
    mem_put(m, p->number, p->label_count * sizeof *p->number);
    mem_put(m, p->initial, base->key_words * sizeof *p->initial);
    if (p->path) mem_put(m, p->path, strlen(p->path) + 1);
    mem_put(m, p, sizeof *p);
}

static int plugin_context_open(const model *base, void **out, err *e)
{
    const plugin *p = (const plugin *)base;
    *out = NULL;
    if (p->says->context_open == NULL) return 0;
    *out = p->says->context_open(p->self);
    if (*out) return 0;
    return err_set(e, ERR_LIMIT, "%s: no memory for a context of a thread", p->path);
}

static void plugin_context_close(const model *base, void *context)
{
    const plugin *p = (const plugin *)base;
    if (context) p->says->context_close(p->self, context);
}

static void print_words(const plugin *p, const uint32_t *key, char *into, size_t bytes)
{
    size_t used = 0;
    for (uint32_t i = 0; i < p->base.key_words && used < bytes; i++)
        used += (size_t)snprintf(into + used, bytes - used, "%s%u", i ? " " : "", key[i]);
}

static void plugin_print(const model *base, void *context, const uint32_t *key,
                         char *into, size_t bytes)
{
    const plugin *p = (const plugin *)base;
    (void)context;
    if (bytes == 0) return;
    into[0] = '\0';
    if (p->says->print) p->says->print(p->self, key, into, bytes);
    else print_words(p, key, into, bytes);
    one_line(into, bytes);
}

/* One call of `moves`. */
typedef struct asking {
    bespoke_out out; /* first: what the object gets */
    const plugin *p;
    const uint32_t *key; /* whose moves they are */
    model_moves *moves;
    err *e;
} asking;

static int wrong_move(const asking *a, const char *sentence)
{
    char state[256];
    plugin_print(&a->p->base, NULL, a->key, state, sizeof state);
    return wrong(a->p, a->e, "%s, in state '%s'", sentence, state);
}

static int wrong_label(const asking *a, uint32_t label)
{
    char text[80];
    snprintf(text, sizeof text, "emits label %u; there are %u, from 0 on", label,
             a->p->label_count);
    return wrong_move(a, text);
}

static int wrong_count(const asking *a)
{
    char text[80];
    snprintf(text, sizeof text, "emits more than %d moves", BESPOKE_MOVES_MAX);
    return wrong_move(a, text);
}

static int emit(bespoke_out *out, uint32_t label, const uint32_t *key)
{
    asking *a = (asking *)out;
    if (a->e->code != ERR_NONE) return (int)a->e->code;
    if (label >= a->p->label_count) return wrong_label(a, label);
    if (key == NULL) return wrong_move(a, "emits NULL for a key");
    if (a->moves->count >= BESPOKE_MOVES_MAX) return wrong_count(a);
    uint32_t *to = model_moves_add(a->moves, a->p->number[label], a->e);
    if (to) memcpy(to, key, a->moves->key_words * sizeof *to);
    return (int)a->e->code;
}

static int plugin_moves(const model *base, void *context, const uint32_t *key,
                        model_moves *out, err *e)
{
    const plugin *p = (const plugin *)base;
    asking a;
    a.out.emit = emit;
    a.out.trouble[0] = '\0';
    a.p = p, a.key = key, a.moves = out, a.e = e;
    if (p->says->moves(p->self, context, key, &a.out) == 0 || e->code != ERR_NONE)
        return (int)e->code;
    const char *why = one_line(a.out.trouble, sizeof a.out.trouble);
    return wrong_move(&a, *why ? why : "moves failed and gives no reason");
}

static const model_class plugin_class = {
    .name = "plug-in",
    .context_open = plugin_context_open,
    .context_close = plugin_context_close,
    .moves = plugin_moves,
    .print = plugin_print,
    .close = plugin_close,
};

static plugin *new_plugin(const char *path, mem *m, err *e)
{
    plugin *p = mem_get(m, sizeof *p, e);
    if (p == NULL) return NULL;
    p->base = (model){ .class = &plugin_class, .m = m };
    p->path = mem_get(m, strlen(path) + 1, e);
    if (p->path) p->files[0] = strcpy(p->path, path);
    p->base.files = p->files;
    p->base.file_count = 1;
    return p;
}

int plugin_open(model **out, const char *path, const char *const *arguments,
                size_t argument_count, const load_options *o, err *e)
{
    plugin *p = new_plugin(path, o->m, e);
    if (p == NULL) return (int)e->code;
    if (p->path && load(p, e) == 0 && check_table(p, e) == 0 &&
        ask_to_open(p, arguments, argument_count, o, e) == 0) {
        *out = &p->base;
        return 0;
    }
    plugin_close(&p->base);
    return (int)e->code;
}
