/*
 * aut_sink - AUT text, one transition per line, as fast as memory takes it.
 * Idea   What repeats is written once and copied: the text of a label with the commas
 *        around it, and "(source" for all transitions of a state.  Only the target is
 *        formatted per transition, straight into the output's window.
 * Cost   Linear in the bytes written; memory for the label texts only.
 */
#include "lang/aut.h"
#include "lang/decimal.h"
#include "lang/output.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    COPY = 32,                    /* bytes that are copied without looking */
    LINE_REST = DECIMAL_ROOM + 2, /* behind the label: target and ")\n" */
    WINDOW_LABEL_MAX = 32 * 1024, /* longer labels do not go through the window */
    LABEL_SHOWN = 40              /* of a label in a message */
};

typedef struct written {
    uint64_t start; /* in `texts` */
    uint64_t bytes;
} written;

typedef struct aut_sink {
    lts_sink base;
    mem *m; /* borrowed */
    output *file;
    label_id labels;
    written *label;       /* owned; ", LABEL, " of every label */
    char *texts;          /* owned; texts_bytes, COPY more than are used */
    uint64_t texts_bytes; /*   */
    char *at, *end;       /* the output's window: free from `at` */
    char *window;         /* where it began */
    uint64_t left;        /* transitions still to come */
    state_id from;        /* the last source */
    unsigned from_bytes;
    char from_text[COPY]; /* "(" and the last source */
} aut_sink;

static bool is_letter(char c) { return isalpha((unsigned char)c) && isascii(c); }

static bool is_identifier(const char *text, size_t bytes)
{
    if (bytes == 0 || !is_letter(text[0])) return false;
    for (size_t i = 1; i < bytes; i++)
        if (!is_letter(text[i]) && !(text[i] >= '0' && text[i] <= '9') && text[i] != '_')
            return false;
    return true;
}

/* A label for a message: unprintable bytes as \xHH, cut when it is long. */
static void show_label(char *out, size_t room, const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes && i < LABEL_SHOWN && n + 8 < room; i++) {
        bool plain = text[i] >= 32 && text[i] <= 126;
        n += (size_t)snprintf(out + n, room - n, plain ? "%c" : "\\x%02x",
                              (unsigned char)text[i]);
    }
    snprintf(out + n, room - n, "%s", bytes > LABEL_SHOWN ? "..." : "");
}

static int check_label(const char *path, const char *text, size_t bytes, err *e)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] >= 32 && text[i] <= 126) continue;
        char shown[4 * LABEL_SHOWN + 16];
        show_label(shown, sizeof shown, text, bytes);
        return err_set(e, ERR_REFUSED,
                       "%s: label \"%s\" cannot be written: AUT has printable ASCII "
                       "only; write a .plts, which holds any label",
                       path, shown);
    }
    return 0;
}

/* The quote around a label as it is written; none for `i` and identifiers. */
static const char *quote(const char *text, size_t bytes)
{
    return is_identifier(text, bytes) ? "" : "\"";
}

static int measure_labels(aut_sink *s, const char *path, const label_table *t, err *e)
{
    s->texts_bytes = COPY;
    for (label_id id = 0; id < s->labels; id++) {
        size_t bytes;
        const char *text = label_table_text(t, id, &bytes);
        if (check_label(path, text, bytes, e) != 0) return (int)e->code;
        s->texts_bytes += bytes + 2 * strlen(quote(text, bytes)) + 4;
    }
    return 0;
}

static char *append(char *at, const char *text, size_t bytes)
{
    memcpy(at, text, bytes);
    return at + bytes;
}

static void write_labels(aut_sink *s, const label_table *t)
{
    char *p = s->texts;
    for (label_id id = 0; id < s->labels; id++) {
        size_t bytes;
        const char *text = label_table_text(t, id, &bytes);
        const char *q = quote(text, bytes);
        uint64_t start = (uint64_t)(p - s->texts);
        p = append(p, ", ", 2);
        p = append(p, q, strlen(q));
        p = append(p, text, bytes);
        p = append(p, q, strlen(q));
        p = append(p, ", ", 2);
        s->label[id] = (written){ start, (uint64_t)(p - s->texts) - start };
    }
}

static int prepare_labels(aut_sink *s, const char *path, const label_table *t, err *e)
{
    s->labels = label_table_count(t);
    s->label = mem_get_array(s->m, s->labels, sizeof *s->label, e);
    if (s->label == NULL || measure_labels(s, path, t, e) != 0) return (int)e->code;
    s->texts = mem_get(s->m, s->texts_bytes, e);
    if (s->texts) write_labels(s, t);
    return (int)e->code;
}

static int next_window(aut_sink *s, err *e)
{
    if (s->window) output_advance(s->file, (size_t)(s->at - s->window));
    s->window = s->at = output_window(s->file, OUTPUT_WINDOW_MAX, e);
    if (s->window == NULL) return (int)e->code;
    s->end = s->window + OUTPUT_WINDOW_MAX;
    return 0;
}

static void write_header(aut_sink *s, const lts_shape *shape)
{
    s->at += snprintf(s->at, 4 * COPY, "des (%" PRIu32 ", %" PRIu64 ", %" PRIu32 ")\n",
                      shape->initial, shape->transitions, shape->states);
}

static void new_source(aut_sink *s, state_id from)
{
    assert(from >= s->from);
    s->from = from;
    s->from_text[0] = '(';
    s->from_bytes = (unsigned)(decimal_put(s->from_text + 1, from) - s->from_text);
}

/* Copy a label; nearly all are short, and a copy of fixed size needs no call. */
static inline char *put_label(char *at, const char *text, size_t bytes)
{
    memcpy(at, text, COPY);
    if (bytes > COPY) memcpy(at + COPY, text + COPY, bytes - COPY);
    return at + bytes;
}

/* A label too long for the window goes out by itself. */
static int put_long(aut_sink *s, const written *w, err *e)
{
    output_advance(s->file, (size_t)(s->at - s->window));
    s->window = NULL;
    if (output_write(s->file, s->texts + w->start, w->bytes, e) != 0) return (int)e->code;
    return next_window(s, e);
}

static int put_line_with_long_label(aut_sink *s, const written *w, state_id to, err *e)
{
    memcpy(s->at, s->from_text, s->from_bytes);
    s->at += s->from_bytes;
    if (put_long(s, w, e) != 0) return (int)e->code;
    s->at = decimal_put(s->at, to);
    s->at = append(s->at, ")\n", 2);
    return 0;
}

static int aut_put(lts_sink *base, state_id from, label_id label, state_id to, err *e)
{
    aut_sink *s = (aut_sink *)base;
    assert(label < s->labels && s->left > 0);
    s->left--;
    if (from != s->from) new_source(s, from);
    written w = s->label[label];
    bool is_long = w.bytes > WINDOW_LABEL_MAX;
    size_t need = 2 * COPY + (is_long ? 0 : w.bytes) + LINE_REST;
    if ((size_t)(s->end - s->at) < need && next_window(s, e) != 0) return (int)e->code;
    if (is_long) return put_line_with_long_label(s, &w, to, e);
    char *at = s->at; /* in a register: what is written through it may alias nothing */
    memcpy(at, s->from_text, COPY);
    at = put_label(at + s->from_bytes, s->texts + w.start, w.bytes);
    at = decimal_put(at, to);
    s->at = append(at, ")\n", 2);
    return 0;
}

static int aut_commit(lts_sink *base, err *e)
{
    aut_sink *s = (aut_sink *)base;
    assert(s->left == 0); /* as many as the header says */
    output_advance(s->file, (size_t)(s->at - s->window));
    s->window = NULL;
    return output_commit(s->file, e);
}

static void aut_close(lts_sink *base)
{
    aut_sink *s = (aut_sink *)base;
    output_close(s->file);
    if (s->texts) mem_put(s->m, s->texts, s->texts_bytes);
    mem_put(s->m, s->label, s->labels * sizeof *s->label);
    mem_put(s->m, s, sizeof *s);
}

static const lts_sink_class aut_sink_class = {
    .name = "aut",
    .put = aut_put,
    .commit = aut_commit,
    .close = aut_close,
};

int aut_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e)
{
    aut_sink *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->base.class = &aut_sink_class;
    s->m = m;
    s->left = shape->transitions;
    new_source(s, 0);
    if (prepare_labels(s, path, shape->labels, e) == 0 &&
        output_open(&s->file, m, path, e) == 0 && next_window(s, e) == 0) {
        write_header(s, shape);
        *out = &s->base;
        return 0;
    }
    aut_close(&s->base);
    return (int)e->code;
}
