#include "lang/mcl_text.h"

#include <stdio.h>
#include <string.h>

void mcl_text_release(mcl_text *t)
{
    if (t->store == NULL) return;
    mem *m = t->store->m;
    vec_release(m, &t->files);
    vec_release(m, &t->calls);
    vec_release(m, &t->pieces);
    vec_release(m, &t->expanded);
}

int mcl_text_add_file(mcl_text *t, mcl_file file, err *e)
{
    return vec_push(t->store->m, &t->files, file, e);
}

/* Does `from` go on where the last piece, which ends with the text, stopped? */
static bool continues(const mcl_text *t, mcl_origin from)
{
    if (t->pieces.count == 0) return false;
    const mcl_piece *p = &t->pieces.at[t->pieces.count - 1];
    return p->from.file == from.file && p->from.call == from.call &&
           p->from.offset + (t->expanded.count - p->begin) == from.offset;
}

static int append(mcl_text *t, mcl_origin from, const char *bytes, size_t count, err *e)
{
    mem *m = t->store->m;
    if (t->expanded.count + count > MCL_TEXT_MAX)
        return mcl_text_error(t, from, ERR_INPUT, e,
                              "the macros make more than %d MiB of text; expected less",
                              MCL_TEXT_MAX >> 20);
    mcl_piece p = { (uint32_t)t->expanded.count, from };
    if (!continues(t, from) && vec_push(m, &t->pieces, p, e) != 0) return (int)e->code;
    if (vec_reserve(m, &t->expanded, t->expanded.count + count, e) != 0)
        return (int)e->code;
    memcpy(t->expanded.at + t->expanded.count, bytes, count);
    t->expanded.count += count;
    return 0;
}

int mcl_text_append(mcl_text *t, mcl_origin from, uint32_t end, err *e)
{
    if (end == from.offset) return 0;
    return append(t, from, t->files.at[from.file].text + from.offset, end - from.offset,
                  e);
}

int mcl_text_blank(mcl_text *t, mcl_origin from, err *e)
{
    return append(t, from, " ", 1, e);
}

mcl_origin mcl_text_origin(const mcl_text *t, uint32_t offset)
{
    size_t low = 0, high = t->pieces.count;
    if (high == 0) return (mcl_origin){ 0, t->files.at[0].bytes, MCL_NO_CALL };
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->pieces.at[middle].begin <= offset) low = middle;
        else high = middle;
    }
    mcl_origin o = t->pieces.at[low].from;
    o.offset += offset - t->pieces.at[low].begin;
    if (o.offset > t->files.at[o.file].bytes) o.offset = t->files.at[o.file].bytes;
    return o;
}

typedef struct position {
    const char *file;
    unsigned line, column; /* from 1 */
} position;

static position position_of(const mcl_text *t, mcl_origin o)
{
    const mcl_file *f = &t->files.at[o.file];
    position p = { f->name, 1, 1 };
    for (uint32_t i = 0; i < o.offset; i++) {
        p.column++;
        if (f->text[i] == '\n') p.line++, p.column = 1;
    }
    return p;
}

/* The place to show first: in the user's own file if anything there led to `o`. */
static mcl_origin place_to_show(const mcl_text *t, mcl_origin o)
{
    for (mcl_origin at = o; at.call != MCL_NO_CALL && o.file != 0; at = o)
        o = t->calls.at[at.call].at;
    return o;
}

/* "in macro M called at ...", or "in macro M, library.mcl:3:9", or nothing. */
static void describe_macro(const mcl_text *t, mcl_origin o, char *into, size_t bytes)
{
    into[0] = '\0';
    if (o.call == MCL_NO_CALL) return;
    const mcl_call *c = &t->calls.at[o.call];
    position call = position_of(t, c->at), body = position_of(t, o);
    if (o.file == 0)
        snprintf(into, bytes, " (in macro %s called at %s:%u:%u)", c->name, call.file,
                 call.line, call.column);
    else
        snprintf(into, bytes, " (in macro %s, %s:%u:%u)", c->name, body.file, body.line,
                 body.column);
}

/* Messages are for one line of err.text; longer parts are cut. */
typedef struct message {
    char text[400], macro[200];
    position at;
} message;

static void compose(message *out, const mcl_text *t, mcl_origin o, const char *format,
                    va_list args) __attribute__((format(printf, 4, 0)));

static void compose(message *out, const mcl_text *t, mcl_origin o, const char *format,
                    va_list args)
{
    vsnprintf(out->text, sizeof out->text, format, args);
    describe_macro(t, o, out->macro, sizeof out->macro);
    out->at = position_of(t, place_to_show(t, o));
}

int mcl_text_verror(const mcl_text *t, mcl_origin o, err_code code, err *e,
                    const char *format, va_list args)
{
    message s;
    compose(&s, t, o, format, args);
    return err_set(e, code, "%s:%u:%u: %s%s", s.at.file, s.at.line, s.at.column, s.text,
                   s.macro);
}

int mcl_text_error(const mcl_text *t, mcl_origin o, err_code code, err *e,
                   const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mcl_text_verror(t, o, code, e, format, args);
    va_end(args);
    return (int)e->code;
}

void mcl_text_vwarn(const mcl_text *t, mcl_origin o, const char *format, va_list args)
{
    if (t->log == NULL) return;
    message s;
    compose(&s, t, o, format, args);
    log_warn(t->log, "%s:%u:%u: %s%s", s.at.file, s.at.line, s.at.column, s.text,
             s.macro);
}

void mcl_text_warn(const mcl_text *t, mcl_origin o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mcl_text_vwarn(t, o, format, args);
    va_end(args);
}

void mcl_text_where(const mcl_text *t, mcl_origin o, char *into, size_t bytes)
{
    char macro[200];
    position p = position_of(t, place_to_show(t, o));
    describe_macro(t, o, macro, sizeof macro);
    snprintf(into, bytes, "%s:%u:%u%s", p.file, p.line, p.column, macro);
}
