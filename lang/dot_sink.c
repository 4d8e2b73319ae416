#include "lang/dot.h"
#include "lang/output.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct dot_sink {
    lts_sink base;
    mem *m; /* borrowed */
    output *file;
    const label_table *labels; /* borrowed */
    uint64_t left;             /* transitions still to come */
} dot_sink;

static int put_text(dot_sink *s, const char *text, err *e)
{
    return output_write(s->file, text, strlen(text), e);
}

/* What Graphviz would take for something else is escaped, the unprintable shown in hex. */
static int put_char(dot_sink *s, unsigned char c, err *e)
{
    char text[8];
    if (c == '"' || c == '\\') snprintf(text, sizeof text, "\\%c", c);
    else if (c < 32 || c > 126) snprintf(text, sizeof text, "\\\\x%02x", c);
    else snprintf(text, sizeof text, "%c", c);
    return put_text(s, text, e);
}

static int put_label(dot_sink *s, label_id label, err *e)
{
    size_t bytes;
    const char *text = label_table_text(s->labels, label, &bytes);
    for (size_t i = 0; i < bytes; i++)
        if (put_char(s, (unsigned char)text[i], e) != 0) return (int)e->code;
    return 0;
}

static int dot_put(lts_sink *base, state_id from, label_id label, state_id to, err *e)
{
    dot_sink *s = (dot_sink *)base;
    assert(s->left > 0);
    s->left--;
    char edge[64];
    snprintf(edge, sizeof edge, "    %" PRIu32 " -> %" PRIu32 " [label=\"", from, to);
    bool hidden = label == label_table_hidden(s->labels);
    if (put_text(s, edge, e) != 0 || put_label(s, label, e) != 0) return (int)e->code;
    return put_text(s, hidden ? "\", style=dashed];\n" : "\"];\n", e);
}

/* States are all named first: one without transitions must be seen too. */
static int put_states(dot_sink *s, const lts_shape *shape, err *e)
{
    char text[160];
    snprintf(text, sizeof text,
             "digraph lts {\n"
             "    node [shape=circle];\n"
             "    start [shape=point, label=\"\"];\n"
             "    start -> %" PRIu32 ";\n",
             shape->initial);
    if (put_text(s, text, e) != 0) return (int)e->code;
    for (state_id i = 0; i < shape->states; i++) {
        snprintf(text, sizeof text, "    %" PRIu32 "%s;\n", i,
                 i == shape->initial ? " [penwidth=2]" : "");
        if (put_text(s, text, e) != 0) return (int)e->code;
    }
    return 0;
}

static int dot_commit(lts_sink *base, err *e)
{
    dot_sink *s = (dot_sink *)base;
    assert(s->left == 0);
    return put_text(s, "}\n", e) == 0 ? output_commit(s->file, e) : (int)e->code;
}

static void dot_close(lts_sink *base)
{
    dot_sink *s = (dot_sink *)base;
    output_close(s->file);
    mem_put(s->m, s, sizeof *s);
}

static const lts_sink_class dot_sink_class = {
    .name = "dot",
    .put = dot_put,
    .commit = dot_commit,
    .close = dot_close,
};

int dot_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e)
{
    if (shape->states > DOT_STATES_MAX)
        return err_set(e, ERR_REFUSED,
                       "%s: a picture of %" PRIu32
                       " states helps nobody; .dot is written "
                       "for up to %d",
                       path, shape->states, DOT_STATES_MAX);
    dot_sink *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->base.class = &dot_sink_class;
    s->m = m;
    s->labels = shape->labels;
    s->left = shape->transitions;
    if (output_open(&s->file, m, path, e) == 0 && put_states(s, shape, e) == 0) {
        *out = &s->base;
        return 0;
    }
    dot_close(&s->base);
    return (int)e->code;
}
