#include "lang/text_file.h"

#include "core/vec.h"
#include "lang/source.h"

#include <string.h>
#include <sys/stat.h>

typedef VEC(char) buffer;

static int read_all(source *s, mem *m, buffer *into, size_t most, err *e)
{
    enum { STEP = 1 << 16 };
    while (into->count <= most) {
        if (vec_reserve(m, into, into->count + STEP, e) != 0) return (int)e->code;
        ssize_t got = source_read(s, into->at + into->count, STEP, e);
        if (got <= 0) return (int)e->code;
        into->count += (size_t)got;
    }
    return 0;
}

/* A failure while decoding knows neither file nor place: it is where the text breaks off. */
static int locate(err *e, const char *path, const buffer *b)
{
    if (e->code != ERR_INPUT && e->code != ERR_SYSTEM) return (int)e->code;
    err deeper = *e;
    size_t line = 1, column = 1;
    for (size_t i = 0; i < b->count; i++) {
        column++;
        if (b->at[i] == '\n') line++, column = 1;
    }
    *e = ERR_INIT;
    return err_set(e, deeper.code, "%s:%zu:%zu: %.300s", path, line, column, deeper.text);
}

/* Name and text move into the arena. */
static int keep(text_file *out, arena *a, const char *path, const buffer *b, err *e)
{
    char *name = arena_get(a, strlen(path) + 1, e);
    char *text = name ? arena_get(a, b->count + 2, e) : NULL;
    if (text == NULL) return (int)e->code;
    strcpy(name, path);
    if (b->count > 0) memcpy(text, b->at, b->count);
    text[b->count] = text[b->count + 1] = '\0';
    out->name = name;
    out->text = text;
    out->bytes = (uint32_t)b->count;
    return 0;
}

int text_file_read(text_file *out, arena *a, const char *path, size_t most,
                   const char *expected, err *e)
{
    struct stat who = { 0 };
    buffer text = { 0 };
    source *s = NULL;
    stat(path, &who); /* when it fails, opening says why */
    *out = (text_file){ .device = who.st_dev, .inode = who.st_ino };
    int rc = source_open(&s, a->m, path, e);
    if (rc == 0 && read_all(s, a->m, &text, most, e) != 0) rc = locate(e, path, &text);
    if (rc == 0 && text.count > most)
        rc = err_set(e, ERR_INPUT, "%s:1:1: more than %zu MiB; expected %s", path,
                     most >> 20, expected);
    if (rc == 0) rc = keep(out, a, path, &text, e);
    source_close(s);
    vec_release(a->m, &text);
    return rc;
}
