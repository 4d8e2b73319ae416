/*
 * plts_sink - a .plts written while the transitions arrive.
 *
 * Idea   All counts are known beforehand, hence the place of every section.  Each of the
 *        three arrays has a cursor with one piece of memory; a full piece is hashed and
 *        written to its place.  The header comes last, when all sums are known.
 * Cost   Three pieces of memory, and 8 bytes per piece of the file.
 */
#include "lang/plts.h"

#include "core/hash.h"
#include "lang/output.h"
#include "lang/plts_layout.h"

#include <assert.h>
#include <string.h>

enum { ARRAYS = PLTS_LABEL + 1 };

typedef struct cursor {
    char *piece; /* owned; PLTS_PIECE bytes, of which `used` are filled */
    size_t used;
    uint64_t number; /* of the piece, counted over all sections */
} cursor;

typedef struct plts_sink {
    lts_sink base;
    mem *m; /* borrowed */
    output *file;
    plts_layout at;
    uint64_t *sums;        /* owned; at.pieces */
    cursor cursor[ARRAYS]; /* FIRST, TARGET, LABEL */
    uint64_t rows;         /* states whose row has begun */
    uint64_t put;          /* transitions so far */
} plts_sink;

static int write_piece(plts_sink *s, uint64_t piece, const char *data, err *e)
{
    plts_piece p = plts_layout_piece(&s->at, piece);
    s->sums[piece] = hash_file(data, (size_t)p.bytes);
    return output_write_at(s->file, p.offset, data, (size_t)p.bytes, e);
}

static int ship(plts_sink *s, cursor *c, err *e)
{
    c->used = 0;
    return write_piece(s, c->number++, c->piece, e);
}

/* Append a number of `bytes` bytes; pieces are a multiple of them. */
static inline int append(plts_sink *s, plts_section_id section, const void *number,
                         size_t bytes, err *e)
{
    cursor *c = &s->cursor[section];
    memcpy(c->piece + c->used, number, bytes);
    c->used += bytes;
    return c->used < PLTS_PIECE ? 0 : ship(s, c, e);
}

/* The rows of all states up to `state` begin here. */
static int begin_rows(plts_sink *s, uint64_t state, err *e)
{
    for (; s->rows <= state; s->rows++)
        if (append(s, PLTS_FIRST, &s->put, sizeof s->put, e) != 0) return (int)e->code;
    return 0;
}

static inline int append_label(plts_sink *s, label_id label, err *e)
{
    if (s->at.label_bytes == 1)
        return append(s, PLTS_LABEL, &(uint8_t){ (uint8_t)label }, 1, e);
    if (s->at.label_bytes == 2)
        return append(s, PLTS_LABEL, &(uint16_t){ (uint16_t)label }, 2, e);
    return append(s, PLTS_LABEL, &label, 4, e);
}

static int plts_put(lts_sink *base, state_id from, label_id label, state_id to, err *e)
{
    plts_sink *s = (plts_sink *)base;
    assert(s->put < s->at.transitions && label < s->at.labels);
    assert(from < s->at.states && to < s->at.states && from + (uint64_t)1 >= s->rows);
    if (from >= s->rows && begin_rows(s, from, e) != 0) return (int)e->code;
    s->put++;
    if (append(s, PLTS_TARGET, &to, sizeof to, e) != 0) return (int)e->code;
    return append_label(s, label, e);
}

static int write_sums(plts_sink *s, err *e)
{
    plts_section *section = s->at.section;
    for (unsigned i = 0; i < PLTS_SUMS; i++)
        section[i].sum = hash_file(s->sums + section[i].piece,
                                   (size_t)(section[i + 1].piece - section[i].piece) *
                                       sizeof *s->sums);
    size_t bytes = (size_t)section[PLTS_SUMS].bytes;
    section[PLTS_SUMS].sum = hash_file(s->sums, bytes);
    return output_write_at(s->file, section[PLTS_SUMS].offset, s->sums, bytes, e);
}

static int write_header(plts_sink *s, err *e)
{
    uint8_t header[PLTS_HEADER_BYTES];
    plts_layout_encode(&s->at, header);
    return output_write_at(s->file, 0, header, sizeof header, e);
}

static int plts_commit(lts_sink *base, err *e)
{
    plts_sink *s = (plts_sink *)base;
    assert(s->put == s->at.transitions);
    if (begin_rows(s, s->at.states, e) != 0) return (int)e->code;
    for (unsigned i = 0; i < ARRAYS; i++)
        if (s->cursor[i].used > 0 && ship(s, &s->cursor[i], e) != 0) return (int)e->code;
    if (write_sums(s, e) != 0 || write_header(s, e) != 0) return (int)e->code;
    return output_commit(s->file, e);
}

static void plts_close(lts_sink *base)
{
    plts_sink *s = (plts_sink *)base;
    output_close(s->file);
    for (unsigned i = 0; i < ARRAYS; i++) mem_put(s->m, s->cursor[i].piece, PLTS_PIECE);
    mem_put(s->m, s->sums, s->at.pieces * sizeof *s->sums);
    mem_put(s->m, s, sizeof *s);
}

static const lts_sink_class plts_sink_class = {
    .name = "plts",
    .put = plts_put,
    .commit = plts_commit,
    .close = plts_close,
};

static void plan(plts_layout *l, const lts_shape *shape)
{
    *l = (plts_layout){ .states = shape->states,
                        .initial = shape->initial,
                        .transitions = shape->transitions,
                        .labels = label_table_count(shape->labels) };
    l->label_bytes = label_table_width((label_id)l->labels);
    for (label_id id = 0; id < l->labels; id++) {
        size_t bytes;
        label_table_text(shape->labels, id, &bytes);
        l->names_bytes += sizeof(uint64_t) + bytes;
    }
    plts_layout_plan(l);
}

static void gather_names(char *names, const label_table *t)
{
    label_id count = label_table_count(t);
    uint64_t *end = (uint64_t *)(void *)names, used = 0;
    char *text = names + count * sizeof *end;
    for (label_id id = 0; id < count; id++) {
        size_t bytes;
        const char *label = label_table_text(t, id, &bytes);
        memcpy(text + used, label, bytes);
        end[id] = used += bytes;
    }
}

static int write_names(plts_sink *s, const label_table *t, err *e)
{
    char *names = mem_get(s->m, (size_t)s->at.names_bytes, e);
    if (names == NULL) return (int)e->code;
    gather_names(names, t);
    for (uint64_t p = s->at.section[PLTS_NAMES].piece; p < s->at.pieces; p++)
        if (write_piece(s, p, names + plts_layout_piece(&s->at, p).start, e) != 0) break;
    mem_put(s->m, names, (size_t)s->at.names_bytes);
    return (int)e->code;
}

static int open_cursors(plts_sink *s, err *e)
{
    s->sums = mem_get_array(s->m, s->at.pieces, sizeof *s->sums, e);
    for (unsigned i = 0; i < ARRAYS && e->code == ERR_NONE; i++)
        s->cursor[i] = (cursor){ .piece = mem_get(s->m, PLTS_PIECE, e),
                                 .number = s->at.section[i].piece };
    return (int)e->code;
}

int plts_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                   err *e)
{
    assert(shape->initial < shape->states);
    plts_sink *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->base.class = &plts_sink_class;
    s->m = m;
    plan(&s->at, shape);
    /* The header is written now as well, so that a target that will not do is told now. */
    if (open_cursors(s, e) == 0 && output_open(&s->file, m, path, e) == 0 &&
        write_header(s, e) == 0 && write_names(s, shape->labels, e) == 0) {
        *out = &s->base;
        return 0;
    }
    plts_close(&s->base);
    return (int)e->code;
}
