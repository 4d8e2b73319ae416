#include "lang/bes_raw.h"
#include "lang/source.h"

#include <string.h>

enum { READ_BYTES = 1 << 20 };

void bes_raw_release(bes_raw *r)
{
    vec_release(r->m, &r->block);
    vec_release(r->m, &r->equation);
    vec_release(r->m, &r->operand);
}

int bes_parse(bes *out, mem *m, const char *name, const char *text, size_t bytes,
              progress *clock, err *e)
{
    bes_raw r = { .m = m, .name = name, .text = text, .bytes = bytes, .clock = clock };
    uint32_t *order = NULL, blocks = 0;
    *out = (bes){ .m = m };
    if (bes_grammar(&r, e) == 0 && bes_resolve(&r, e) == 0) {
        blocks = bes_raw_blocks(&r);
        order = mem_get_array(m, blocks, sizeof *order, e);
    }
    if (order && bes_order(&r, order, e) == 0) bes_build(out, &r, order, e);
    mem_put(m, order, blocks * sizeof *order);
    bes_raw_release(&r);
    return (int)e->code;
}

typedef VEC(char) text_buffer;

/* All of a file, decoded. */
static int read_all(text_buffer *t, mem *m, source *s, progress *clock, err *e)
{
    size_t want = READ_BYTES;
    if (source_is_plain(s)) want = (size_t)source_plain_bytes(s) + 1;
    for (;;) {
        if (vec_reserve(m, t, t->count + want, e) != 0) return (int)e->code;
        ssize_t got = source_read(s, t->at + t->count, t->room - t->count, e);
        if (got <= 0) return (int)e->code;
        t->count += (size_t)got;
        want = t->room > t->count ? 1 : READ_BYTES;
        if (progress_tick(clock, t->count, e) != 0) return (int)e->code;
    }
}

/* A failure while decoding knows neither file nor place. */
static int locate(err *e, const char *path, const text_buffer *t)
{
    if (e->code != ERR_INPUT && e->code != ERR_SYSTEM) return (int)e->code;
    err inner = *e;
    size_t line, column;
    bes_lex l = { .text = t->at, .end = t->at + t->count };
    bes_lex_position(&l, l.end, &line, &column);
    *e = ERR_INIT;
    return err_set(e, inner.code, "%s:%zu:%zu: %.300s", path, line, column, inner.text);
}

int bes_read(bes *out, mem *m, const char *path, progress *clock, err *e)
{
    source *s = NULL;
    text_buffer t = { 0 };
    *out = (bes){ .m = m };
    if (source_open(&s, m, path, e) != 0) return (int)e->code;
    if (read_all(&t, m, s, clock, e) != 0) locate(e, path, &t);
    source_close(s);
    if (e->code == ERR_NONE) bes_parse(out, m, path, t.at, t.count, clock, e);
    vec_release(m, &t);
    return (int)e->code;
}
