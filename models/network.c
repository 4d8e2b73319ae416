#include "models/network.h"

#include "models/network_table.h"

#include <stdio.h>
#include <string.h>

typedef struct network {
    model base;
    network_table table;
    uint32_t *initial; /* owned; key_words */
    const char **files;
    char **read; /* owned: copies of what the network's reader read */
    size_t read_count;
} network;

static const network *of(const model *s) { return (const network *)s; }

static int context_open(const model *s, void **out, err *e)
{
    return network_moves_open(&of(s)->table, s->m, out, e);
}

static void context_close(const model *s, void *context)
{
    network_moves_close(&of(s)->table, s->m, context);
}

static int moves(const model *s, void *context, const uint32_t *key, model_moves *out,
                 err *e)
{
    return network_moves(&of(s)->table, context, key, out, e);
}

/* (3, 0, 12): the components' states. */
static void print(const model *s, void *context, const uint32_t *key, char *into,
                  size_t bytes)
{
    (void)context;
    const network_table *t = &of(s)->table;
    size_t used = 0;
    for (uint32_t i = 0; i < t->components && used < bytes; i++)
        used += (size_t)snprintf(into + used, bytes - used, "%s%u", i ? ", " : "(",
                                 network_field_get(&t->field[i], key));
    if (used < bytes) snprintf(into + used, bytes - used, ")");
}

static void close_model(model *s)
{
    network *n = (network *)s;
    mem *m = s->m;
    for (size_t i = 0; n->read && i < n->read_count; i++)
        if (n->read[i]) mem_put(m, n->read[i], strlen(n->read[i]) + 1);
    mem_put(m, n->read, n->read_count * sizeof *n->read);
    mem_put(m, n->files, s->file_count * sizeof *n->files);
    mem_put(m, n->initial, s->key_words * sizeof *n->initial);
    network_table_close(&n->table);
    mem_put(m, n, sizeof *n);
}

static const model_class network_class = { .name = "network",
                                           .context_open = context_open,
                                           .context_close = context_close,
                                           .moves = moves,
                                           .print = print,
                                           .close = close_model };

/* ---- opening ----------------------------------------------------------------------------- */

static int keep_names(network *n, const exp_net *net, err *e)
{
    mem *m = n->base.m;
    n->read = mem_get_array(m, net->file_count, sizeof *n->read, e);
    if (n->read == NULL) return (int)e->code;
    n->read_count = net->file_count;
    for (size_t i = 0; i < net->file_count; i++) {
        size_t bytes = strlen(net->files[i]) + 1;
        n->read[i] = mem_get(m, bytes, e);
        if (n->read[i] == NULL) return (int)e->code;
        memcpy(n->read[i], net->files[i], bytes);
    }
    return 0;
}

static int list_files(network *n, err *e)
{
    size_t count = n->read_count + n->table.files;
    n->files = mem_get_array(n->base.m, count, sizeof *n->files, e);
    if (n->files == NULL) return (int)e->code;
    for (size_t i = 0; i < count; i++)
        n->files[i] =
            i < n->read_count ? n->read[i] : n->table.file[i - n->read_count].path;
    n->base.files = n->files;
    n->base.file_count = count;
    return 0;
}

static int start(network *n, err *e)
{
    const network_table *t = &n->table;
    n->initial = mem_get_array(n->base.m, t->key_words, sizeof *n->initial, e);
    if (n->initial == NULL) return (int)e->code;
    for (uint32_t i = 0; i < t->components; i++)
        network_field_set(&t->field[i], n->initial, t->field[i].rows->initial);
    n->base.key_words = t->key_words;
    n->base.initial = n->initial;
    n->base.labels = t->labels;
    return 0;
}

static int compile(network *n, const exp_net *net, const load_options *o, err *e)
{
    network_compiler c = { .m = o->m, .net = net, .options = o };
    if (network_compile(&c, e) == 0) network_table_open(&n->table, &c, e);
    network_compile_close(&c);
    return (int)e->code;
}

static int build(network *n, const exp_net *net, const load_options *o, err *e)
{
    if (compile(n, net, o, e) != 0 || keep_names(n, net, e) != 0 || list_files(n, e) != 0)
        return (int)e->code;
    return start(n, e);
}

int network_open(model **out, const char *path, const load_options *o, err *e)
{
    exp_net *net = NULL;
    exp_options how = { .m = o->m, .log = o->log };
    network *n = mem_get(o->m, sizeof *n, e);
    if (n == NULL) return (int)e->code;
    n->base = (model){ .class = &network_class, .m = o->m };
    if (exp_read(&net, path, &how, e) == 0) build(n, net, o, e);
    exp_close(net);
    if (e->code == ERR_NONE) *out = &n->base;
    else model_close(&n->base);
    return (int)e->code;
}
