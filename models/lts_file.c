#include "models/lts_file.h"

#include "core/ids.h"
#include "core/suffix.h"
#include "lang/aut.h"
#include "lang/codec.h"
#include "lang/dot.h"
#include "lang/plts.h"
#include "lang/seq.h"
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

/* In the order in which one would rather read them. */
enum { PLTS = LTS_FILE_PLTS, AUT = LTS_FILE_AUT, BCG = LTS_FILE_BCG, DOT, SEQ };

static const format formats[] = {
    [PLTS] = { .suffix = ".plts",
               .doc = "our binary form: mapped into memory, not parsed",
               .read = read_plts,
               .sink = plts_sink_open },
    [AUT] = { .suffix = ".aut",
              .doc = "Aldebaran text, as CADP, mCRL2 and LTSmin write it",
              .packed = true,
              .read = aut_read,
              .sink = aut_sink_open },
    [BCG] = { .suffix = ".bcg",
              .doc = "CADP's binary form, through its bcg_io when that is installed",
              .read = bcg_read },
    [DOT] = { .suffix = ".dot",
              .doc = "a picture for Graphviz, of small ones",
              .packed = true,
              .sink = dot_sink_open },
    [SEQ] = { .suffix = ".seq",
              .doc = "a sequence of labels, of what is one",
              .packed = true,
              .sink = seq_sink_open },
};

/* ---- suffixes ------------------------------------------------------------------------ */

enum { LIST_BYTES = 160 };

/* The i-th suffix of what can be written, or read; false past the last one. */
static bool suffix_at(char into[LTS_FILE_SUFFIX_BYTES], size_t i, bool written)
{
    for (const format *f = formats; f < formats + COUNT_OF(formats); f++) {
        if (written ? f->sink == NULL : f->read == NULL) continue;
        const char *behind = ""; /* then that of each codec */
        for (size_t k = 0; behind; k++) {
            snprintf(into, LTS_FILE_SUFFIX_BYTES, "%s%s", f->suffix, behind);
            if (i-- == 0) return true;
            behind = f->packed && codecs[k] ? codecs[k]->suffix : NULL;
        }
    }
    return false;
}

/* ".plts, .aut and .bcg"; returns `into`. */
static const char *list_suffixes(char into[LIST_BYTES], bool written, const char *and)
{
    char suffix[LTS_FILE_SUFFIX_BYTES], after[LTS_FILE_SUFFIX_BYTES];
    int used = 0;
    bool more = suffix_at(suffix, 0, written);
    for (size_t i = 0; more && used < LIST_BYTES; i++) {
        more = suffix_at(after, i + 1, written);
        const char *join = i == 0 ? "" : more ? ", " : and;
        used += snprintf(into + used, (size_t)(LIST_BYTES - used), "%s%s", join, suffix);
        memcpy(suffix, after, sizeof suffix);
    }
    return into;
}

bool lts_file_suffix(char into[LTS_FILE_SUFFIX_BYTES], size_t i)
{
    return suffix_at(into, i, false);
}

size_t lts_file_stem(const char *name)
{
    size_t bytes;
    codec_of_name(name, &bytes);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        size_t stem = suffix_stem(name, bytes, formats[i].suffix);
        if (stem && formats[i].read) return stem;
    }
    return bytes;
}

static bool ends_in(const char *path, const format *f)
{
    size_t inner;
    if (suffix_stem(path, strlen(path), f->suffix)) return true;
    return f->packed && codec_of_name(path, &inner) &&
           suffix_stem(path, inner, f->suffix);
}

static const format *by_suffix(const char *path)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (ends_in(path, &formats[i])) return &formats[i];
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------- */

/* What a file is by its first bytes. */
typedef struct look {
    bool is_plts, is_aut, is_xz;
    const char *codec; /* "plain", "gzip", "zstd" or "bzip2" */
} look;

static void look_at_text(look *out, const char *text, size_t bytes)
{
    static const char xz[] = "\xfd"
                             "7zXZ";
    out->is_aut = strncmp(text + strspn(text, " \t\r\n"), "des", 3) == 0;
    out->is_xz = bytes >= sizeof xz && memcmp(text, xz, sizeof xz) == 0;
}

/* 0, or why the file cannot be opened.  Damaged data are nothing we know. */
static int look_at(look *out, mem *m, const char *path, err *e)
{
    source *s = NULL;
    char text[64];
    *out = (look){ .is_plts = plts_is(path), .codec = "plain" };
    if (out->is_plts) return 0;
    if (source_open(&s, m, path, e) != 0) return (int)e->code;
    err bad = ERR_INIT;
    ssize_t bytes = source_read(s, text, sizeof text - 1, &bad);
    out->codec = source_codec(s);
    source_close(s);
    text[bytes > 0 ? bytes : 0] = '\0';
    look_at_text(out, text, bytes > 0 ? (size_t)bytes : 0);
    return bad.code == ERR_LIMIT ? err_set(e, bad.code, "%s", bad.text) : 0;
}

bool lts_file_is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The compressor that the name promises and the data are not of, or NULL. */
static const codec *broken_promise(const char *path, const look *l)
{
    const codec *c = codec_of_name(path, NULL);
    return c && strcmp(l->codec, c->name) != 0 ? c : NULL;
}

/* Name and content disagree; the content counts. */
static void tell(const load_options *o, const char *path, const char *what)
{
    if (o->log) log_warn(o->log, "%s: this is %s and read as such", path, what);
}

static const format *take_text(const char *path, const format *f, const look *l,
                               const load_options *o)
{
    const codec *c = broken_promise(path, l);
    char what[40] = "AUT text";
    if (c) snprintf(what, sizeof what, "AUT text, but not %s data,", c->name);
    if (c || (f && f->read != aut_read)) tell(o, path, what);
    return &formats[AUT];
}

static int refuse(const char *path, const look *l, const format *f, err *e)
{
    const codec *c = broken_promise(path, l);
    if (l->is_xz)
        return err_set(e, ERR_INPUT,
                       "%s: is compressed by xz; unpack it with xz -d first", path);
    if (c)
        return err_set(e, ERR_INPUT, "%s: the name ends in %s, but the data are not %s",
                       path, c->suffix, c->name);
    if (f) return 0; /* its reader says where it is wrong */
    char list[LIST_BYTES];
    return err_set(e, ERR_INPUT, "%s: not recognised as an LTS; %s are read", path,
                   list_suffixes(list, false, " and "));
}

/* The first bytes outrank the name: `f` is what the name says, NULL = nothing. */
static const format *take_by_content(const char *path, const format *f,
                                     const load_options *o, err *e)
{
    look l;
    if (look_at(&l, o->m, path, e) != 0) return NULL;
    if (l.is_aut) return take_text(path, f, &l, o);
    if (l.is_plts && f && f->read != read_plts) tell(o, path, "a .plts");
    if (l.is_plts) return &formats[PLTS];
    return refuse(path, &l, f, e) == 0 ? f : NULL;
}

/* The format to read a file in, or NULL with a code. */
static const format *readable(const char *path, const load_options *o, err *e)
{
    const format *f = by_suffix(path);
    char list[LIST_BYTES];
    if (f && f->read == NULL) {
        err_set(e, ERR_INPUT, "%s: %s is written, not read; %s are read", path, f->suffix,
                list_suffixes(list, false, " and "));
        return NULL;
    }
    if (f && f->read == bcg_read) return f;
    /* A pipe must not be looked at: opening it twice would end its writer.  What comes
       through one is AUT, the only format that can. */
    if (lts_file_is_pipe(path)) return f ? f : &formats[AUT];
    return take_by_content(path, f, o, e);
}

int lts_file_read(lts *out, const char *path, const load_options *o, err *e)
{
    *out = (lts){ .m = o->m };
    const format *f = readable(path, o, e);
    return f ? f->read(out, path, o, e) : (int)e->code;
}

int lts_file_form_of(lts_file_form *out, const char *path, const load_options *o, err *e)
{
    const format *f = readable(path, o, e);
    if (f) *out = (lts_file_form)(f - formats);
    return (int)e->code;
}

/* ---- writing ------------------------------------------------------------------------- */

static const char standard_output[] = "-";

/* The format to write a file of this name in, or NULL with ERR_USAGE. */
static const format *writable(const char *path, err *e)
{
    const format *f =
        strcmp(path, standard_output) == 0 ? &formats[AUT] : by_suffix(path);
    if (f && f->sink) return f;
    char list[LIST_BYTES];
    err_set(e, ERR_USAGE, "%s: cannot be written in this form; the name must end in %s%s",
            path, list_suffixes(list, true, " or "),
            f ? " (CADP's \"bcg_io x.aut x.bcg\" makes a .bcg of a .aut)" : "");
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
    if (strcmp(path, standard_output) == 0) path = "/dev/stdout";
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
    char what[PROGRESS_WHAT_BYTES];
    snprintf(what, sizeof what, "writing %s", path);
    progress_begin(clock, what, "transitions", g->transitions);
    put_all(g, x, sink, clock, e);
    progress_end(clock);
    lts_sink_close(sink);
    return (int)e->code;
}
