#include "tests/scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void must(int ok, const char *what)
{
    if (ok) return;
    perror(what);
    abort();
}

scratch scratch_open(void)
{
    scratch s = { .dir = "/tmp/bespoke-unit-XXXXXX" };
    must(mkdtemp(s.dir) != NULL, s.dir);
    return s;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *w)
{
    (void)st, (void)kind, (void)w;
    return remove(path);
}

void scratch_close(scratch *s)
{
    must(nftw(s->dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0, s->dir);
}

const char *scratch_path(scratch *s, const char *name)
{
    char *path = s->path[s->next++ % SCRATCH_PATHS];
    size_t dir = strlen(s->dir);
    memcpy(path, s->dir, dir);
    snprintf(path + dir, sizeof s->path[0] - dir, "/%s", name);
    return path;
}

size_t scratch_count(const scratch *s)
{
    DIR *d = opendir(s->dir);
    must(d != NULL, s->dir);
    size_t entries = 0;
    while (readdir(d)) entries++;
    closedir(d);
    return entries - 2; /* . and .. */
}

void scratch_write(const char *path, const void *data, size_t bytes)
{
    FILE *f = fopen(path, "wb");
    must(f != NULL && fwrite(data, 1, bytes, f) == bytes && fclose(f) == 0, path);
}

char *scratch_read(const char *path, size_t *bytes)
{
    struct stat st;
    FILE *f = fopen(path, "rb");
    must(f != NULL && fstat(fileno(f), &st) == 0, path);
    char *data = malloc((size_t)st.st_size + 1);
    must(data && fread(data, 1, (size_t)st.st_size, f) == (size_t)st.st_size, path);
    fclose(f);
    data[st.st_size] = '\0';
    if (bytes) *bytes = (size_t)st.st_size;
    return data;
}
