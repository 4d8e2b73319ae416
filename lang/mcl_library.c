#include "lang/mcl_library.h"

#include "lang/text_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_LIBRARIES "share/bespoke/mcl" /* below the prefix that bin/bespoke lies in */

int mcl_library_read(mcl_text *t, const char *path, err *e)
{
    text_file f;
    if (text_file_read(&f, t->store, path, MCL_TEXT_MAX, "a formula", e) != 0)
        return (int)e->code;
    return mcl_text_add_file(t, (mcl_file){ f.name, f.text, f.bytes, f.device, f.inode },
                             e);
}

static bool is_readable_file(const char *path, struct stat *who)
{
    return stat(path, who) == 0 && !S_ISDIR(who->st_mode) && access(path, R_OK) == 0;
}

/* The search: candidates are tried in order, folders remembered for the message. */
typedef struct search {
    const char *name;
    char found[PATH_MAX];
    struct stat who;
    char looked[240]; /* folders so far, for people */
} search;

static void remember(search *s, const char *folder)
{
    size_t used = strlen(s->looked);
    snprintf(s->looked + used, sizeof s->looked - used, "%s%s", used ? ", " : "", folder);
}

static bool try_folder(search *s, const char *folder, size_t bytes)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%.*s", (int)bytes, folder);
    if (length < 0 || (size_t)length >= sizeof path) return false;
    remember(s, path);
    bool here = strcmp(path, ".") == 0;
    length = here ? snprintf(s->found, sizeof s->found, "%s", s->name)
                  : snprintf(s->found, sizeof s->found, "%s/%s", path, s->name);
    return (size_t)length < sizeof s->found && is_readable_file(s->found, &s->who);
}

static bool try_beside(search *s, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL && try_folder(s, file, (size_t)(slash - file));
}

/* Cut the last part of a path off. */
static bool climb(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

static bool try_own(search *s)
{
    char self[PATH_MAX], folder[PATH_MAX + sizeof OWN_LIBRARIES];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    if (!climb(self) || !climb(self)) return false; /* the executable, its folder */
    snprintf(folder, sizeof folder, "%s/%s", self, OWN_LIBRARIES);
    return try_folder(s, folder, strlen(folder));
}

static bool find(search *s, const char *from, const mcl_options *o)
{
    if (s->name[0] == '/') return try_folder(s, ".", 1); /* no folder before it */
    if (try_beside(s, from) || try_folder(s, ".", 1)) return true;
    for (size_t i = 0; i < o->library_path_count; i++)
        if (try_folder(s, o->library_paths[i], strlen(o->library_paths[i]))) return true;
    return try_own(s);
}

static bool is_here(const mcl_text *t, const struct stat *who)
{
    for (size_t i = 0; i < t->files.count; i++)
        if (t->files.at[i].device == who->st_dev && t->files.at[i].inode == who->st_ino)
            return true;
    return false;
}

int mcl_library_add(mcl_text *t, const char *name, mcl_origin at, const mcl_options *o,
                    bool *fresh, err *e)
{
    search s = { .name = name };
    *fresh = false;
    if (!find(&s, t->files.at[at.file].name, o))
        return mcl_text_error(t, at, ERR_INPUT, e,
                              "no library %.80s; expected a file of that name in %s",
                              name, s.looked);
    if (is_here(t, &s.who)) return 0;
    *fresh = true;
    return mcl_library_read(t, s.found, e);
}
