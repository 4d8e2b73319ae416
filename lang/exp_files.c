#include "lang/exp_files.h"

#include "core/suffix.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MAX = 64 << 20, SUFFIX_MAX = 16 };

void exp_files_release(exp_files *f)
{
    if (f->store == NULL) return;
    vec_release(f->store->m, &f->texts);
    vec_release(f->store->m, &f->names);
}

int exp_files_note(exp_files *f, const char *name, err *e)
{
    return vec_push(f->store->m, &f->names, name, e);
}

static text_file *known(const exp_files *f, const char *path)
{
    struct stat who;
    if (stat(path, &who) != 0) return NULL;
    for (size_t i = 0; i < f->texts.count; i++)
        if (f->texts.at[i]->device == who.st_dev && f->texts.at[i]->inode == who.st_ino)
            return f->texts.at[i];
    return NULL;
}

int exp_files_text(exp_files *f, const char *path, text_file **out, err *e)
{
    *out = known(f, path);
    if (*out) return 0;
    text_file *t = arena_get(f->store, sizeof *t, e);
    if (t == NULL ||
        text_file_read(t, f->store, path, TEXT_MAX, "a network of automata", e) != 0 ||
        vec_push(f->store->m, &f->texts, t, e) != 0)
        return (int)e->code;
    *out = t;
    return exp_files_note(f, t->name, e);
}

/* `name` in the folder of the file that it stands in, with room for a suffix. */
static char *join(exp_files *f, exp_text name, exp_place at, err *e)
{
    const char *slash = strrchr(at.file, '/');
    size_t folder = slash && name.at[0] != '/' ? (size_t)(slash - at.file) + 1 : 0;
    char *path = arena_get(f->store, folder + name.bytes + SUFFIX_MAX, e);
    if (path == NULL) return NULL;
    if (folder > 0) memcpy(path, at.file, folder);
    memcpy(path + folder, name.at, name.bytes + 1);
    return path;
}

static bool is_readable(const char *path)
{
    struct stat who;
    return stat(path, &who) == 0 && !S_ISDIR(who.st_mode) && access(path, R_OK) == 0;
}

static bool has_suffix(const char *path, const char *const *suffixes)
{
    for (; *suffixes; suffixes++)
        if (suffix_stem(path, strlen(path), *suffixes)) return true;
    return false;
}

static void list(char *into, size_t bytes, const char *const *suffixes)
{
    size_t used = 0;
    for (size_t i = 0; suffixes[i] && used < bytes; i++) {
        const char *between = i == 0 ? "" : suffixes[i + 1] ? ", " : " or ";
        int n = snprintf(into + used, bytes - used, "%s%s", between, suffixes[i]);
        used += (size_t)n;
    }
}

const char *exp_files_find(exp_files *f, exp_text name, exp_place at, const char *wanted,
                           const char *const *suffixes, err *e)
{
    char *path = join(f, name, at, e), choice[120];
    if (path == NULL) return NULL;
    if (has_suffix(path, suffixes)) {
        if (is_readable(path)) return path;
        exp_error(at, e, "there is no file %.2000s that can be read; expected %s", path,
                  wanted);
        return NULL;
    }
    char *end = path + strlen(path);
    for (const char *const *s = suffixes; *s; s++) {
        strcpy(end, *s);
        if (is_readable(path)) return path;
    }
    *end = '\0';
    list(choice, sizeof choice, suffixes);
    exp_error(at, e, "there is no file %.2000s with %s behind; expected %s", path, choice,
              wanted);
    return NULL;
}
