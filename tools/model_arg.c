#include "tools/model_arg.h"

#include "core/suggest.h"
#include "models/model_file.h"
#include "tools/report.h"
#include "vlts_bench/vlts_cache.h"

#include <omp.h>
#include <string.h>

#define VLTS_PREFIX "vlts:"

static char *copy(tool *t, const char *text, size_t bytes, err *e)
{
    char *own = arena_get(&t->scratch, bytes + 1, e);
    if (own == NULL) return NULL;
    memcpy(own, text, bytes);
    own[bytes] = '\0';
    return own;
}

/* Length of a file's name without the suffixes that tell its format. */
static size_t stem_length(const char *base)
{
    static const char system[] = ".bes"; /* the one format of models that is no LTS */
    size_t length = model_file_stem(base), tail = strlen(system);
    if (length <= tail || memcmp(base + length - tail, system, tail) != 0) return length;
    return length - tail;
}

const manifest_row *model_arg_vlts(const char *name, err *e)
{
    const manifest_row *row = manifest_find(name);
    if (row) return row;
    suggest near = SUGGEST_INIT(name);
    for (size_t i = 0; i < MANIFEST_ROWS; i++) suggest_consider(&near, manifest[i].name);
    suggest_refuse(&near, "no VLTS instance is called", "bespoke gen vlts lists them", e);
    return NULL;
}

void model_arg_tell_surrogate(const tool *t, const char *name, bool generated,
                              double seconds)
{
    static const char surrogate[] = "a surrogate, not the real instance";
    if (generated)
        log_note(&t->log, "%s: %s; generated in %.2f s", name, surrogate, seconds);
    else log_note(&t->log, "%s: %s; from the cache", name, surrogate);
}

static int resolve_vlts(model_arg *out, tool *t, const char *name, err *e)
{
    double start = clock_seconds();
    out->name = name;
    out->path = NULL;
    const manifest_row *row = model_arg_vlts(name, e);
    if (row == NULL) return (int)e->code;
    vlts_model got;
    load_options o = model_arg_load_options(t);
    surrogate_options wishes = SURROGATE_OPTIONS_INIT;
    if (vlts_cache_resolve(&got, &t->scratch, name, &wishes, NULL, &o, e) != 0) {
        report_complete_limit(e, name, NULL);
        return (int)e->code;
    }
    out->path = got.path;
    if (got.surrogate)
        model_arg_tell_surrogate(t, name, got.fresh, clock_seconds() - start);
    log_detail(&t->log, "%s%s: the %s %s", VLTS_PREFIX, name,
               got.surrogate ? "surrogate" : "real file", got.path);
    return 0;
}

int model_arg_resolve(model_arg *out, tool *t, const char *text, err *e)
{
    const char *path = strcmp(text, "-") == 0 ? "/dev/stdin" : text;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    *out = (model_arg){ .text = text, .path = path };
    if (strncmp(text, VLTS_PREFIX, strlen(VLTS_PREFIX)) == 0)
        return resolve_vlts(out, t, text + strlen(VLTS_PREFIX), e);
    const char *name = copy(t, base, stem_length(base), e);
    out->name = name ? name : text;
    return (int)e->code;
}

int model_arg_threads(const tool *t, const char *option, int otherwise)
{
    uint64_t wanted = options_unsigned(t->opts, option, (uint64_t)otherwise);
    int cores = omp_get_num_procs(), most = cores > 16 ? 4 * cores : 64;
    if (wanted <= (uint64_t)most) return (int)wanted;
    log_warn(&t->log, "--%s %llu: %d are taken, there are %d cores", option,
             (unsigned long long)wanted, most, cores);
    return most;
}

load_options model_arg_load_options(tool *t)
{
    load_options o = { .m = &t->m, .log = &t->log, .clock = &t->clock };
    o.hidden_count = options_list(t->opts, "hidden", &o.hidden);
    o.lenient = options_given(t->opts, "lenient");
    o.threads = model_arg_threads(t, "load-threads", 0);
    return o;
}

static bool is_visible(const label_table *labels, const char *name)
{
    label_id id = label_table_find(labels, name, strlen(name));
    return id != LABEL_NONE && id != label_table_hidden(labels);
}

void model_arg_warn(const tool *t, const char *name, const load_options *o,
                    const label_table *labels)
{
    if (is_visible(labels, "tau"))
        log_warn(&t->log,
                 "%s: label \"tau\" occurs and is not hidden; --hidden tau makes it so",
                 name);
    for (size_t i = 0; i < o->hidden_count; i++)
        if (!label_table_met(labels, o->hidden[i]))
            log_warn(&t->log, "%s: --hidden %s: no label is called so", name,
                     o->hidden[i]);
}

int model_arg_open(model **out, const model_arg *a, tool *t, err *e)
{
    model_file_options o = { .load = model_arg_load_options(t) };
    o.argument_count = options_list(t->opts, "model-arg", &o.arguments);
    if (model_file_open(out, a->path, &o, e) == 0)
        model_arg_warn(t, a->name, &o.load, (*out)->labels);
    report_complete_limit(e, a->name, a->path);
    return (int)e->code;
}
