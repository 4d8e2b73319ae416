#include "core/ids.h"
#include "lang/bes.h"
#include "lang/decimal.h"
#include "lang/output.h"

#include <string.h>

enum { TICK = 1 << 16, WORD_ROOM = 64 };

typedef struct writer {
    const bes *b;
    output *file;
    uint32_t block; /* being written */
} writer;

static char *put_text(char *at, const char *text) { return stpcpy(at, text); }

static int put_heading(writer *w, const bes_block *k, err *e)
{
    char *start = output_window(w->file, WORD_ROOM, e), *at = start;
    if (at == NULL) return (int)e->code;
    at = put_text(at, k->sign == GRAPH_MU ? "block mu B" : "block nu B");
    at = decimal_put(at, k->number);
    if (k->unique) at = put_text(at, " unique");
    if (k->mode) at = decimal_put(put_text(at, " mode "), k->mode);
    at = put_text(at, " is\n");
    output_advance(w->file, (size_t)(at - start));
    return 0;
}

/* An operand with what stands before it. */
static int put_operand(writer *w, const char *before, vertex_id v, err *e)
{
    const bes_block *own = &w->b->blocks[w->block];
    char *start = output_window(w->file, WORD_ROOM, e), *at = start;
    if (at == NULL) return (int)e->code;
    at = decimal_put(put_text(put_text(at, before), "X"), w->b->variable[v]);
    if (v >= own->end) {
        uint32_t block = bes_block_of(w->b, v);
        at = decimal_put(put_text(at, "_"), w->b->blocks[block].number);
    }
    output_advance(w->file, (size_t)(at - start));
    return 0;
}

static int put_equation(writer *w, vertex_id v, err *e)
{
    const bes *b = w->b;
    bool conjunction = b->op[v] == GRAPH_AND;
    const char *before = " = ", *constant = conjunction ? " = true\n" : " = false\n";
    if (put_operand(w, "    ", v, e) != 0) return (int)e->code;
    for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++) {
        if (put_operand(w, before, b->operand[i], e) != 0) return (int)e->code;
        before = conjunction ? " and " : " or ";
    }
    const char *rest = b->first[v] == b->first[v + 1] ? constant : "\n";
    return output_write(w->file, rest, strlen(rest), e);
}

static int put_blocks(writer *w, progress *clock, err *e)
{
    for (; w->block < w->b->block_count; w->block++) {
        const bes_block *k = &w->b->blocks[w->block];
        if (put_heading(w, k, e) != 0) return (int)e->code;
        for (vertex_id v = k->begin; v < k->end; v++) {
            if (put_equation(w, v, e) != 0) return (int)e->code;
            if (v % TICK == 0 && progress_tick(clock, v, e) != 0) return (int)e->code;
        }
        if (output_write(w->file, "end block\n", 10, e) != 0) return (int)e->code;
    }
    return 0;
}

int bes_write(const bes *b, const char *path, progress *clock, err *e)
{
    writer w = { .b = b };
    if (output_open(&w.file, b->m, path, e) != 0) return (int)e->code;
    if (put_blocks(&w, clock, e) == 0) output_commit(w.file, e);
    output_close(w.file);
    return (int)e->code;
}
