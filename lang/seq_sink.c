#include "lang/output.h"
#include "lang/seq.h"

#include <stdbool.h>
#include <string.h>

typedef struct seq_sink {
    lts_sink base;
    mem *m;           /* borrowed */
    const char *path; /* borrowed */
    output *file;
    const label_table *labels; /* borrowed */
    state_id at;               /* the end of the path so far */
} seq_sink;

static int refuse(const seq_sink *s, err *e)
{
    return err_set(e, ERR_REFUSED,
                   "%s: this is no sequence, it branches or comes back; expected a path "
                   "(.aut takes anything)",
                   s->path);
}

static bool is_writable(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (text[i] < 32 || text[i] > 126 || text[i] == '"') return false;
    return true;
}

static int seq_put(lts_sink *base, state_id from, label_id label, state_id to, err *e)
{
    seq_sink *s = (seq_sink *)base;
    size_t bytes;
    const char *text = label_table_text(s->labels, label, &bytes);
    if (from != s->at || to != from + 1) return refuse(s, e);
    if (!is_writable(text, bytes))
        return err_set(e, ERR_REFUSED,
                       "%s: label '%.40s' has a quote or an unprintable character; "
                       "expected none in a .seq",
                       s->path, text);
    s->at = to;
    if (output_write(s->file, "\"", 1, e) != 0) return (int)e->code;
    if (output_write(s->file, text, bytes, e) != 0) return (int)e->code;
    return output_write(s->file, "\"\n", 2, e);
}

static int seq_commit(lts_sink *base, err *e)
{
    return output_commit(((seq_sink *)base)->file, e);
}

static void seq_close(lts_sink *base)
{
    seq_sink *s = (seq_sink *)base;
    output_close(s->file);
    mem_put(s->m, s, sizeof *s);
}

static const lts_sink_class seq_sink_class = {
    .name = "seq",
    .put = seq_put,
    .commit = seq_commit,
    .close = seq_close,
};

int seq_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e)
{
    seq_sink *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    *s = (seq_sink){ .base.class = &seq_sink_class, .m = m, .path = path };
    s->labels = shape->labels;
    if (shape->initial != 0 || shape->transitions != (uint64_t)shape->states - 1)
        refuse(s, e);
    else if (output_open(&s->file, m, path, e) == 0) *out = &s->base;
    if (e->code != ERR_NONE) seq_close(&s->base);
    return (int)e->code;
}
