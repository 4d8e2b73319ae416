#include "models/lts_file.h"

#include "core/ids.h"
#include "lang/aut.h"
#include "lang/dot.h"
#include "lang/plts.h"
#include "lang/source.h"
#include "models/bcg.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef int reader(lts *out, const char *path, const load_options *o, err *e);
typedef int sink_opener(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                        err *e);

static int read_plts(lts *out, const char *path, const load_options *o, err *e)
{
    return o->copy ? plts_read(out, path, o, e) : plts_map(out, path, o, e);
}

/* A format: what its files end in, and how they are read and written (NULL = not). */
typedef struct format {
    const char *suffix, *doc;
    bool packed; /* also with the suffix of a compressor behind */
    reader *read;
    sink_opener *sink;
} format;

static const format formats[] = {
    { .suffix = ".aut",
      .doc = "Aldebaran text, as CADP, mCRL2 and LTSmin write it",
      .packed = true,
      .read = aut_read,
      .sink = aut_sink_open },
    { .suffix = ".plts",
      .doc = "our binary form: mapped into memory, not parsed",
      .read = read_plts,
      .sink = plts_sink_open },
    { .suffix = ".bcg",
      .doc = "CADP's binary form, through its bcg_io when that is installed",
      .read = bcg_read },
    { .suffix = ".dot",
      .doc = "a picture for Graphviz, of small ones",
      .sink = dot_sink_open },
};

static const char *const packers[] = { ".gz", ".zst", ".bz2" };

/* The length of `path` without `suffix`, or 0 when it does not end so. */
static size_t without(const char *path, size_t bytes, const char *suffix)
{
    size_t tail = strlen(suffix);
    if (bytes <= tail || memcmp(path + bytes - tail, suffix, tail) != 0) return 0;
    return bytes - tail;
}

static bool ends_in(const char *path, const format *f)
{
    size_t bytes = strlen(path);
    if (without(path, bytes, f->suffix)) return true;
    for (size_t i = 0; f->packed && i < COUNT_OF(packers); i++) {
        size_t inner = without(path, bytes, packers[i]);
        if (inner && without(path, inner, f->suffix)) return true;
    }
    return false;
}

static const format *by_suffix(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (ends_in(path, &formats[i])) return &formats[i];
    return NULL;
}

/* Does the text begin like AUT, perhaps after blanks?  0, or why it cannot be opened. */
static int looks_like_aut(bool *is, mem *m, const char *path, err *e)
{
    source *s = NULL;
    char text[64];
    if (source_open(&s, m, path, e) != 0) return (int)e->code;
    err bad = ERR_INIT; /* damaged data are not AUT */
    ssize_t bytes = source_read(s, text, sizeof text - 1, &bad);
    source_close(s);
    text[bytes > 0 ? bytes : 0] = '\0';
    *is = strncmp(text + strspn(text, " \t\r\n"), "des", 3) == 0;
    return bad.code == ERR_LIMIT ? err_set(e, bad.code, "%s", bad.text) : 0;
}

static bool is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* No suffix that we know: look at the first bytes.  A pipe must not be looked at: opening it
   twice would end its writer.  What comes through one is AUT, the only format that can. */
static int read_by_content(lts *out, const char *path, const load_options *o, err *e)
{
    bool is_aut = is_pipe(path);
    if (!is_aut && plts_is(path)) return read_plts(out, path, o, e);
    if (!is_aut && looks_like_aut(&is_aut, o->m, path, e) != 0) return (int)e->code;
    if (is_aut) return aut_read(out, path, o, e);
    return err_set(
        e, ERR_INPUT,
        "%s: not recognised as an LTS; .aut, .aut.gz, .aut.zst, .aut.bz2, .plts "
        "and .bcg are read",
        path);
}

int lts_file_read(lts *out, const char *path, const load_options *o, err *e)
{
    *out = (lts){ .m = o->m };
    const format *f = by_suffix(path);
    if (f == NULL) return read_by_content(out, path, o, e);
    if (f->read) return f->read(out, path, o, e);
    return err_set(
        e, ERR_INPUT,
        "%s: %s is written, not read; .aut, .aut.gz, .aut.zst, .aut.bz2, .plts "
        "and .bcg are read",
        path, f->suffix);
}

/* The format to write a file of this name in, or NULL with ERR_USAGE. */
static const format *writable(const char *path, err *e)
{
    const format *f = by_suffix(path);
    if (f && f->sink) return f;
    err_set(e, ERR_USAGE,
            "%s: cannot be written in this form; the name must end in .aut, "
            ".aut.gz, .aut.zst, .aut.bz2, .plts or .dot%s",
            path, f ? " (CADP's \"bcg_io x.aut x.bcg\" makes a .bcg of a .aut)" : "");
    return NULL;
}

int lts_file_check_suffix(const char *path, err *e)
{
    return writable(path, e) ? 0 : (int)e->code;
}

int lts_file_sink(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e)
{
    const format *f = writable(path, e);
    return f ? f->sink(out, m, path, shape, e) : (int)e->code;
}

lts_file_format lts_file_format_get(size_t i)
{
    if (i >= COUNT_OF(formats)) return (lts_file_format){ .suffix = NULL };
    const format *f = &formats[i];
    return (lts_file_format){ f->suffix, f->doc, f->packed, f->read != NULL,
                              f->sink != NULL };
}

/* A copy with two states exchanged; equal ones: none. */
typedef struct exchange {
    state_id a, b;
} exchange;

static state_id exchanged(exchange x, state_id s)
{
    return s == x.a ? x.b : s == x.b ? x.a : s;
}

static int put_row(const lts *g, state_id s, exchange x, lts_sink *sink, err *e)
{
    state_id old = exchanged(x, s); /* whose row now stands at s */
    for (uint64_t t = g->first[old]; t < g->first[old + 1]; t++)
        if (lts_sink_put(sink, s, lts_label(g, t), exchanged(x, g->target[t]), e) != 0)
            return (int)e->code;
    return 0;
}

static int put_all(const lts *g, exchange x, lts_sink *sink, progress *clock, err *e)
{
    uint64_t done = 0;
    for (state_id s = 0; s < g->states; s++) {
        if (put_row(g, s, x, sink, e) != 0) return (int)e->code;
        done = g->first[s + 1];
        if ((s & 1023) == 0 && progress_tick(clock, done, e) != 0) return (int)e->code;
    }
    return lts_sink_commit(sink, e);
}

int lts_file_write(const lts *g, const char *path, lts_file_numbering numbering,
                   progress *clock, err *e)
{
    exchange x = { 0, 0 };
    if (numbering == LTS_FILE_INITIAL_FIRST) x.b = g->initial;
    lts_shape shape = { .states = g->states,
                        .initial = exchanged(x, g->initial),
                        .transitions = g->transitions,
                        .labels = g->labels };
    lts_sink *sink = NULL;
    if (lts_file_sink(&sink, g->m, path, &shape, e) != 0) return (int)e->code;
    progress_begin(clock, path, "transitions", g->transitions);
    put_all(g, x, sink, clock, e);
    progress_end(clock);
    lts_sink_close(sink);
    return (int)e->code;
}
