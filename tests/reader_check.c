#include "tests/reader_check.h"

#include "core/hash.h"
#include "lang/aut.h"
#include "lang/plts.h"
#include "lang/plts_layout.h"
#include "tests/naive_aut.h"
#include "tests/sample_plts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const hidden[] = { "tau", "L0" };

reader_check reader_check_open(void)
{
    return (reader_check){ .file = packed_file_open() };
}

void reader_check_close(reader_check *c) { packed_file_close(&c->file); }

static const char *complain(reader_check *c, const char *what, const err *e)
{
    snprintf(c->complaint, sizeof c->complaint, "%s; code %d: %.500s", what, (int)e->code,
             e->text);
    return c->complaint;
}

/* The codes that an input may have; anything else would be our fault or the machine's. */
static bool is_verdict(const err *e)
{
    return e->code == ERR_NONE || e->code == ERR_INPUT || e->code == ERR_LIMIT;
}

typedef int load_function(lts *out, const char *path, const load_options *o, err *e);

/* One reading; `then`, if not NULL, has a further opinion on the LTS. */
static const char *read_once(reader_check *c, load_function *load, const reader_way *way,
                             err *e, const char *(*then)(void *context, const lts *g),
                             void *context)
{
    static const log_sink silent = { .level = LOG_QUIET };
    mem m = MEM_INIT;
    m.limit = way->limit;
    load_options o = { .m = &m,
                       .hidden = hidden,
                       .hidden_count = way->hiding ? COUNT_OF(hidden) : 0,
                       .lenient = way->lenient,
                       .threads = way->threads,
                       .block_bytes = way->block_bytes,
                       .log = &silent };
    lts g;
    int code = load(&g, c->file.path, &o, e);
    const char *what = NULL;
    c->accepted = code == 0;
    if (code != (int)e->code || !is_verdict(e))
        what = "a failure that no input may cause";
    if (code == 0) what = naive_invalid(&g);
    if (code == 0 && what == NULL && then) what = then(context, &g);
    lts_close(&g);
    if (what == NULL && m.now != 0) what = "memory is lost";
    return what ? complain(c, what, e) : NULL;
}

/* ---- AUT --------------------------------------------------------------------------------- */

static const char *compare(void *context, const lts *g)
{
    return naive_difference(context, g);
}

/* The line that a message begins with, behind the path; 0 when there is none. */
static size_t line_of(const err *e, const char *path)
{
    size_t length = strlen(path);
    if (strncmp(e->text, path, length) != 0 || e->text[length] != ':') return 0;
    return strtoul(e->text + length + 1, NULL, 10);
}

static const char *same_opinion(reader_check *c, const naive_lts *n, size_t wrong_line,
                                const reader_way *way, const err *e)
{
    if (wrong_line == 0) {
        bool huge = n->states > way->limit / 32;
        if (e->code == ERR_NONE || (e->code == ERR_LIMIT && huge)) return NULL;
        return complain(c, "legal, but refused", e);
    }
    if (e->code == ERR_NONE) return complain(c, "illegal, but accepted", e);
    if (e->code == ERR_INPUT && line_of(e, c->file.path) == wrong_line) return NULL;
    char what[80];
    snprintf(what, sizeof what, "the first mistake is in line %zu", wrong_line);
    return complain(c, what, e);
}

/* Would a plain text be taken for a compressed file? */
static bool looks_packed(const char *text, size_t bytes)
{
    static const char *const magic[] = { "\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh" };
    for (size_t i = 0; i < COUNT_OF(magic); i++)
        if (bytes >= strlen(magic[i]) && memcmp(text, magic[i], strlen(magic[i])) == 0)
            return true;
    return bytes >= 4 && (text[0] & 0xf0) == 0x50 &&
           memcmp(text + 1, "\x2a\x4d\x18", 3) == 0;
}

const char *reader_check_text(reader_check *c, packed_kind kind, const char *text,
                              size_t bytes, const reader_way *way)
{
    naive_rules rules = { .lenient = way->lenient,
                          .hidden = hidden,
                          .hidden_count = way->hiding ? COUNT_OF(hidden) : 0 };
    naive_lts n;
    err e = ERR_INIT;
    if (kind == PACKED_PLAIN && looks_packed(text, bytes))
        return reader_check_file(c, text, bytes, way);
    size_t wrong_line = naive_aut_read(&n, text, bytes, &rules);
    packed_file_pack(&c->file, kind, text, bytes);
    const char *what = read_once(c, aut_read, way, &e, wrong_line ? NULL : compare, &n);
    if (what == NULL) what = same_opinion(c, &n, wrong_line, way, &e);
    naive_close(&n);
    return what;
}

const char *reader_check_file(reader_check *c, const char *data, size_t bytes,
                              const reader_way *way)
{
    err e = ERR_INIT;
    packed_file_set(&c->file, data, bytes);
    return read_once(c, aut_read, way, &e, NULL, NULL);
}

/* ---- .plts ------------------------------------------------------------------------------- */

/* A range must be the same part of the whole; without a whole it may be fine or not. */
static const char *check_range(reader_check *c, const lts *whole, state_id lo,
                               state_id hi, const reader_way *way)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    m.limit = way->limit;
    load_options o = { .m = &m,
                       .hidden = hidden,
                       .hidden_count = way->hiding ? COUNT_OF(hidden) : 0 };
    plts_range r;
    const char *what = NULL;
    int code = plts_range_read(&r, c->file.path, lo, hi, &o, &e);
    if (code != (int)e.code || !is_verdict(&e))
        what = "a failure that no input may cause";
    else if (whole && code != 0) what = "a range of a sound file is refused";
    for (state_id s = lo; code == 0 && s < hi; s++) {
        uint64_t from = r.first[s - lo] - r.first[0],
                 to = r.first[s - lo + 1] - r.first[0];
        if (from > to) what = "a range's row ends before it begins";
        if (whole && whole->first[s] != r.first[s - lo]) what = "a range's row";
        for (uint64_t t = from; what == NULL && t < to; t++)
            if (r.target[t] >= r.states ||
                (whole && r.target[t] != whole->target[t + r.first[0]]))
                what = "a range's target";
    }
    plts_range_close(&r);
    if (what == NULL && m.now != 0) what = "memory is lost";
    return what ? complain(c, what, &e) : NULL;
}

typedef struct range_context {
    reader_check *c;
    const reader_way *way;
} range_context;

static const char *check_ranges(void *context, const lts *g)
{
    range_context *r = context;
    state_id third = g->states / 3;
    const char *what = check_range(r->c, g, 0, g->states, r->way);
    return what ? what : check_range(r->c, g, third, g->states - third, r->way);
}

const char *reader_check_plts(reader_check *c, const char *data, size_t bytes,
                              const reader_way *way)
{
    err mapped = ERR_INIT, copied = ERR_INIT;
    range_context ranges = { c, way };
    packed_file_set(&c->file, data, bytes);
    const char *what = read_once(c, plts_map, way, &mapped, check_ranges, &ranges);
    if (what == NULL) what = read_once(c, plts_read, way, &copied, NULL, NULL);
    if (what == NULL && mapped.code != copied.code && copied.code != ERR_LIMIT)
        what = complain(c, "mapping and copying disagree", &mapped);
    if (what == NULL && mapped.code != ERR_NONE) what = check_range(c, NULL, 0, 1, way);
    return what;
}

static uint64_t word_at(const char *data, size_t offset, size_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, data + offset, bytes); /* little-endian, like the format */
    return word;
}

void reader_check_sign(char *data, size_t bytes)
{
    enum { NAMES_BYTES_AT = 64 + 24 * PLTS_NAMES + 8 };
    if (bytes < PLTS_HEADER_BYTES) return;
    plts_layout l = { .states = word_at(data, 16, 8),
                      .initial = word_at(data, 24, 8),
                      .transitions = word_at(data, 32, 8),
                      .labels = word_at(data, 40, 8),
                      .label_bytes = (unsigned)word_at(data, 48, 4),
                      .names_bytes = word_at(data, NAMES_BYTES_AT, 8) };
    if (l.states > bytes || l.transitions > bytes || l.label_bytes > 4 ||
        l.names_bytes > bytes)
        return;
    plts_layout_plan(&l);
    if (l.file_bytes > bytes) return;
    uint32_t version = (uint32_t)word_at(data, 8, 4),
             flags = (uint32_t)word_at(data, 52, 4);
    plts_layout_encode(&l, (uint8_t *)data);
    memcpy(data + 8, &version, sizeof version); /* what was changed stays changed */
    memcpy(data + 52, &flags, sizeof flags);
    sample_plts_sign((uint8_t *)data, &l);
}
