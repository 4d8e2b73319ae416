#include "lang/cert.h"

#include "core/hash.h"
#include "lang/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct cert_writer {
    mem *m;
    output *out;
    XXH64_state_t sum; /* of all lines so far */
    uint64_t promised, put;
};

void cert_writer_close(cert_writer *w)
{
    if (w == NULL) return;
    output_close(w->out);
    mem_put(w->m, w, sizeof *w);
}

static int text(cert_writer *w, const char *bytes, size_t count, err *e)
{
    XXH64_update(&w->sum, bytes, count);
    return output_write(w->out, bytes, count, e);
}

__attribute__((format(printf, 3, 4))) static int line(cert_writer *w, err *e,
                                                      const char *format, ...)
{
    char bytes[128];
    va_list args;
    va_start(args, format);
    int count = vsnprintf(bytes, sizeof bytes, format, args);
    va_end(args);
    return text(w, bytes, (size_t)count, e);
}

/* The rest of a line: a backslash and what does not print are written \ooo. */
static int rest(cert_writer *w, const char *s, err *e)
{
    for (; *s && e->code == ERR_NONE; s++) {
        unsigned char c = (unsigned char)*s;
        if (c >= 32 && c < 127 && c != '\\') text(w, s, 1, e);
        else line(w, e, "\\%03o", c);
    }
    return text(w, "\n", 1, e);
}

static int header(cert_writer *w, const cert_header *h, err *e)
{
    line(w, e, "bespoke certificate 1\nproblem %s\n", h->problem);
    line(w, e, "model %016llx ", (unsigned long long)h->model_hash);
    rest(w, h->model, e);
    for (size_t i = 0; i < h->hidden_count; i++) {
        line(w, e, "hidden ");
        rest(w, h->hidden[i], e);
    }
    for (size_t i = 0; i < h->argument_count; i++) {
        line(w, e, "model-arg ");
        rest(w, h->arguments[i], e);
    }
    line(w, e, "property ");
    rest(w, h->property, e);
    line(w, e, "verdict %s\n", h->verdict ? "TRUE" : "FALSE");
    if (h->states > 0) line(w, e, "states %u\n", h->states);
    for (uint32_t i = 1; i < h->states && e->code == ERR_NONE; i++)
        line(w, e, "%u %u\n", h->state[i - 1].parent, h->state[i - 1].step);
    return line(w, e, "vertices %llu\n", (unsigned long long)h->vertices);
}

int cert_writer_open(cert_writer **out, mem *m, const char *path, const cert_header *h,
                     err *e)
{
    cert_writer *w = mem_get(m, sizeof *w, e);
    if (w == NULL) return (int)e->code;
    w->m = m;
    w->promised = h->vertices;
    XXH64_reset(&w->sum, 0);
    if (output_open(&w->out, m, path, e) == 0 && header(w, h, e) == 0) *out = w;
    else cert_writer_close(w);
    return (int)e->code;
}

int cert_writer_put(cert_writer *w, const cert_vertex *v, err *e)
{
    w->put++;
    if (v->choice == VERTEX_NONE) return line(w, e, "%u %u *\n", v->vertex, v->rank);
    return line(w, e, "%u %u %u\n", v->vertex, v->rank, v->choice);
}

int cert_writer_commit(cert_writer *w, err *e)
{
    if (w->put != w->promised)
        return err_set(e, ERR_SYSTEM, "a certificate of %llu vertices got %llu",
                       (unsigned long long)w->promised, (unsigned long long)w->put);
    unsigned long long sum = XXH64_digest(&w->sum);
    if (line(w, e, "end %016llx\n", sum) != 0) return (int)e->code;
    return output_commit(w->out, e);
}
