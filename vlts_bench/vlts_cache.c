#include "vlts_bench/vlts_cache.h"

#include "lang/plts.h"
#include "models/lts_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A formatted text in the arena, or NULL with ERR_LIMIT. */
__attribute__((format(printf, 3, 4))) static char *text_of(arena *a, err *e,
                                                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int bytes = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_get(a, (size_t)bytes + 1, e);
    if (text == NULL) return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)bytes + 1, format, args);
    va_end(args);
    return text;
}

/* A variable that holds a path; XDG says that relative ones are to be ignored. */
static const char *path_variable(const char *name, bool relative_too)
{
    const char *value = getenv(name);
    if (value == NULL || value[0] == '\0') return NULL;
    return value[0] == '/' || relative_too ? value : NULL;
}

/* $XDG_<variable>/bespoke, or ~/<otherwise>/bespoke; NULL when there is no home. */
static const char *xdg_folder(arena *a, const char *variable, const char *otherwise,
                              err *e)
{
    const char *base = path_variable(variable, false);
    if (base) return text_of(a, e, "%s/bespoke", base);
    const char *home = path_variable("HOME", false);
    return home ? text_of(a, e, "%s/%s/bespoke", home, otherwise) : NULL;
}

const char *vlts_cache_folder(arena *a, const char *wish, err *e)
{
    if (wish && wish[0] != '\0') return wish;
    if (wish) {
        err_set(e, ERR_USAGE,
                "the folder of the cache has an empty name; expected a path");
        return NULL;
    }
    const char *own = path_variable("BESPOKE_CACHE", true);
    const char *folder = own ? own : xdg_folder(a, "XDG_CACHE_HOME", ".cache", e);
    if (folder == NULL)
        err_set(e, ERR_USAGE,
                "no folder for generated models: give --cache DIR or set BESPOKE_CACHE");
    return folder;
}

/* A scale as a decimal number without needless zeros. */
static void scale_text(char *out, size_t room, uint64_t scale)
{
    int n = snprintf(out, room, "%" PRIu64 ".%09" PRIu64, scale / SURROGATE_SCALE_ONE,
                     scale % SURROGATE_SCALE_ONE);
    while (out[n - 1] == '0') out[--n] = '\0';
    if (out[n - 1] == '.') out[n - 1] = '\0';
}

const char *vlts_cache_file(arena *a, const char *folder, const surrogate_plan *p, err *e)
{
    const surrogate_summary *s = surrogate_plan_summary(p);
    char scale[40], depth[16] = "none";
    scale_text(scale, sizeof scale, s->scale);
    if (s->deadlock_depth != SURROGATE_NONE)
        snprintf(depth, sizeof depth, "%u", s->deadlock_depth);
    return text_of(a, e, "%s/%s-scale_%s-seed_%" PRIu64 "-levels_%u-deadlock_%s-v%d.plts",
                   folder, s->name, scale, s->seed, s->levels, depth, SURROGATE_VERSION);
}

/* Create a folder and those above it. */
static int make_folder(const char *folder, arena *a, err *e)
{
    char *path = text_of(a, e, "%s/", folder);
    for (char *p = path; p && *p; p++) {
        if (*p != '/' || p == path) continue;
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return err_set(e, ERR_INPUT, "%s: cannot be created: %s", path,
                           strerror(errno));
        *p = '/';
    }
    return (int)e->code;
}

/* Is the file there, whole, and what the plan says?  A damaged one is told about. */
static int is_sound(bool *sound, const char *file, const surrogate_plan *p,
                    const load_options *o, err *e)
{
    const manifest_facts *f = &surrogate_plan_summary(p)->facts;
    lts g = { .m = o->m };
    err damage = ERR_INIT;
    load_options as_written = *o; /* whatever the user hides in it */
    as_written.hidden_count = 0;
    *sound = false;
    if (access(file, F_OK) != 0) return 0;
    if (plts_map(&g, file, &as_written, &damage) == 0)
        *sound = g.states == f->states && g.transitions == f->transitions &&
                 label_table_count(g.labels) == f->labels && surrogate_is(g.labels);
    lts_close(&g);
    if (damage.code == ERR_LIMIT) *e = damage;
    else if (!*sound)
        log_warn(o->log, "%s; it is generated again",
                 damage.code ? damage.text : "a file of the cache is not what it says");
    return (int)e->code;
}

int vlts_cache_fetch(const char **file, bool *fresh, arena *a, const char *folder,
                     const surrogate_plan *p, const load_options *o, err *e)
{
    bool sound;
    *file = vlts_cache_file(a, folder, p, e);
    if (*file == NULL || is_sound(&sound, *file, p, o, e) != 0) return (int)e->code;
    if (fresh) *fresh = !sound;
    if (sound) return 0;
    if (make_folder(folder, a, e) != 0) return (int)e->code;
    return surrogate_save(p, *file, o->clock, e);
}

const char *vlts_cache_real(arena *a, const char *name, err *e)
{
    char suffix[LTS_FILE_SUFFIX_BYTES];
    const char *folder = xdg_folder(a, "XDG_DATA_HOME", ".local/share", e);
    for (size_t i = 0; folder && lts_file_suffix(suffix, i); i++) {
        struct stat link;
        char *path = text_of(a, e, "%s/vlts/%s%s", folder, name, suffix);
        if (path == NULL) return NULL;
        if (lstat(path, &link) != 0) continue;
        if (access(path, R_OK) == 0) return path;
        err_set(e, ERR_INPUT, "%s: the real %s was imported but cannot be read: %s; %s",
                path, name, strerror(errno),
                "run vlts_bench/import.sh again or remove the link");
        return NULL;
    }
    return NULL;
}

static bool is_default(const surrogate_options *o)
{
    surrogate_options d = SURROGATE_OPTIONS_INIT;
    return o->scale == d.scale && o->seed == d.seed && o->levels == d.levels &&
           o->deadlock_depth == d.deadlock_depth;
}

int vlts_cache_resolve(vlts_model *out, arena *a, const char *name,
                       const surrogate_options *wishes, const char *folder,
                       const load_options *o, err *e)
{
    const manifest_row *row = manifest_find(name);
    if (row == NULL)
        return err_set(e, ERR_USAGE, "no VLTS instance is called '%.60s'", name);
    *out = (vlts_model){ .surrogate = true };
    if (is_default(wishes)) out->path = vlts_cache_real(a, name, e);
    if (out->path) out->surrogate = false;
    if (out->path || e->code != ERR_NONE) return (int)e->code;
    surrogate_plan *p;
    const char *where = vlts_cache_folder(a, folder, e);
    if (where == NULL || surrogate_plan_open(&p, o->m, row, wishes, e) != 0)
        return (int)e->code;
    vlts_cache_fetch(&out->path, &out->fresh, a, where, p, o, e);
    surrogate_plan_close(p);
    return (int)e->code;
}
