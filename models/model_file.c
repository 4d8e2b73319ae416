#include "models/model_file.h"

#include "core/suffix.h"
#include "models/lts_file.h"
#include "models/lts_model.h"
#include "models/network.h"
#include "models/plugin.h"

#include <string.h>

static int open_network(model **out, const char *path, const model_file_options *o,
                        err *e)
{
    return network_open(out, path, &o->load, e);
}

static int open_plugin(model **out, const char *path, const model_file_options *o, err *e)
{
    return plugin_open(out, path, o->arguments, o->argument_count, &o->load, e);
}

/* What is no LTS either: the list of what is read gets longer. */
static void name_kinds(err *e)
{
    static const char list[] = " are read";
    size_t bytes = strlen(e->text), tail = strlen(list);
    if (e->code != ERR_INPUT || bytes < tail || strcmp(e->text + bytes - tail, list) != 0)
        return;
    err all = ERR_INIT;
    err_set(&all, e->code, "%s; so are networks (.exp) and plug-ins (.so)", e->text);
    *e = all;
}

static int open_lts(model **out, const char *path, const model_file_options *o, err *e)
{
    lts g;
    if (lts_file_read(&g, path, &o->load, e) != 0) return name_kinds(e), (int)e->code;
    return lts_model_open(out, &g, path, e);
}

/* A kind of model whose states are computed. */
typedef struct kind {
    model_file_kind listed;
    int (*open)(model **out, const char *path, const model_file_options *o, err *e);
    bool program; /* opening it runs it; and it takes arguments */
} kind;

static const kind kinds[] = {
    { { ".exp", "a network of LTSs, in CADP's language EXP" }, open_network, false },
    { { ".so", "a plug-in: a program in C (bespoke_model.h)" }, open_plugin, true },
};

static const kind *kind_of(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (suffix_stem(path, strlen(path), kinds[i].listed.suffix)) return &kinds[i];
    return NULL;
}

bool model_file_is_implicit(const char *path) { return kind_of(path) != NULL; }

bool model_file_is_program(const char *path)
{
    const kind *k = kind_of(path);
    return k && k->program;
}

model_file_kind model_file_kind_get(size_t i)
{
    return i < COUNT_OF(kinds) ? kinds[i].listed : (model_file_kind){ NULL, NULL };
}

size_t model_file_stem(const char *name)
{
    const kind *k = kind_of(name);
    return k ? strlen(name) - strlen(k->listed.suffix) : lts_file_stem(name);
}

int model_file_open(model **out, const char *path, const model_file_options *o, err *e)
{
    const kind *k = kind_of(path);
    if (o->argument_count > 0 && !model_file_is_program(path))
        return err_set(e, ERR_USAGE,
                       "--model-arg %.60s: %s takes no arguments; expected a plug-in "
                       "(.so)",
                       o->arguments[0], path);
    return (k ? k->open : open_lts)(out, path, o, e);
}
