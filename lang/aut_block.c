/*
 * aut_block - lines to transitions, labels to numbers.
 *
 * Threads share nothing while they read: each numbers labels for itself and learns the
 * file's number of a new one when the block has its turn.  Labels of up to 16 bytes are
 * recognised in a memo by two words and a multiplication; the table is asked when that
 * misses, and only then, once per label, its characters are checked.
 */
#include "lang/aut_block.h"

#include "lang/aut_quick.h"

#include <string.h>

enum { MEMO_BITS = 10, MEMO_MAX = 16 };

/* A label as two words: its first eight bytes and its last eight, zeroes if it is shorter. */
typedef struct memo_entry {
    uint64_t head, tail;
    uint32_t bytes; /* 0 = free: the empty label is never entered */
    label_id id;
} memo_entry;

struct aut_label_memo {
    memo_entry entry[1 << MEMO_BITS];
};

int aut_block_open(aut_block *b, const load_options *o, uint64_t state_limit, err *e)
{
    *b = (aut_block){ .options = o, .state_limit = state_limit };
    b->memo = mem_get(o->m, sizeof *b->memo, e);
    if (b->memo == NULL || label_table_open(&b->labels, o->m, e) != 0)
        return (int)e->code;
    return load_options_hide(o, b->labels, e);
}

void aut_block_close(aut_block *b)
{
    if (b->options == NULL) return;
    mem *m = b->options->m;
    lts_batch_release(&b->batch, m);
    vec_release(m, &b->rename);
    label_table_close(b->labels);
    mem_put(m, b->memo, sizeof *b->memo);
    *b = (aut_block){ 0 };
}

/* A mistake at `at` in the line that begins at `line`. */
static int wrong_at(aut_block *b, const char *at, const char *line, err *e)
{
    b->column = (uint64_t)(at - line);
    return (int)e->code;
}

/* ---- labels ------------------------------------------------------------------------- */

static int look_up(aut_block *b, const aut_line *l, const char *line, label_id *out,
                   err *e)
{
    label_id before = label_table_count(b->labels);
    if (label_table_put(b->labels, l->label, l->label_bytes, out, e) != 0)
        return (int)e->code;
    if (label_table_count(b->labels) == before) return 0;
    const char *bad = aut_label_wrong_byte(l->label, l->label_bytes);
    if (bad == NULL) return 0;
    err_set(e, ERR_INPUT, "byte 0x%02x in a label; expected printable characters",
            (unsigned)(unsigned char)*bad);
    return wrong_at(b, bad, line, e);
}

/* The two words of a label of 1 to 16 bytes; 8 bytes on either side are readable. */
static inline void words_of(const aut_line *l, uint64_t *head, uint64_t *tail)
{
    unsigned cut = l->label_bytes < 8 ? 64 - 8 * (unsigned)l->label_bytes : 0;
    *head = aut_quick_word(l->label) << cut >> cut;
    *tail = aut_quick_word(l->label + l->label_bytes - 8) >> cut << cut;
}

static inline int number_label(aut_block *b, const aut_line *l, const char *line,
                               label_id *out, err *e)
{
    if (l->label_bytes - 1 >= MEMO_MAX)
        return look_up(b, l, line, out, e); /* 0 or long */
    uint64_t head, tail;
    words_of(l, &head, &tail);
    uint64_t hash = (head ^ (tail << 7 | tail >> 57)) * 0x9e3779b97f4a7c15u;
    memo_entry *m = &b->memo->entry[hash >> (64 - MEMO_BITS)];
    if (m->head == head && m->tail == tail && m->bytes == l->label_bytes) {
        *out = m->id;
        return 0;
    }
    if (look_up(b, l, line, out, e) != 0) return (int)e->code;
    *m = (memo_entry){ head, tail, (uint32_t)l->label_bytes, *out };
    return 0;
}

int aut_block_enter_labels(aut_block *b, label_table *into, err *e)
{
    for (label_id id = (label_id)b->rename.count; id < label_table_count(b->labels);
         id++) {
        size_t bytes;
        label_id global;
        const char *text = label_table_text(b->labels, id, &bytes);
        if (label_table_put(into, text, bytes, &global, e) != 0) return (int)e->code;
        if (vec_push(b->options->m, &b->rename, global, e) != 0) return (int)e->code;
    }
    return 0;
}

int aut_block_enter_hidden(const aut_block *b, label_table *into, err *e)
{
    const load_options *o = b->options;
    for (size_t i = 0; i < o->hidden_count; i++) {
        const char *name = o->hidden[i];
        label_id known; /* as the hidden label, which was entered in its turn */
        if (label_table_met(b->labels, name) &&
            label_table_put(into, name, strlen(name), &known, e) != 0)
            return (int)e->code;
    }
    return 0;
}

/* ---- lines -------------------------------------------------------------------------- */

/* The digits are quoted as they stand: the number may be larger than any of ours. */
static int bad_state(aut_block *b, const aut_line *l, const char *line, err *e)
{
    const char *at = l->from >= b->state_limit ? l->from_at : l->to_at;
    int digits = (int)strspn(at, "0123456789");
    unsigned long long limit = b->state_limit;
    if (digits > 40) digits = 40;
    if (limit == (unsigned long long)STATES_MAX)
        err_set(e, ERR_INPUT, "state %.*s; expected at most 4294967293 (2^32 - 2 states)",
                digits, at);
    else
        err_set(e, ERR_INPUT,
                "state %.*s, but the header says %llu states; expected 0 to %llu "
                "(--lenient goes by the file)",
                digits, at, limit, limit - 1);
    return wrong_at(b, at, line, e);
}

static inline int add_transition(aut_block *b, const aut_line *l, const char *line,
                                 err *e)
{
    uint64_t most = l->from > l->to ? l->from : l->to;
    if (most >= b->state_limit) return bad_state(b, l, line, e);
    if (most >= b->state_end) b->state_end = most + 1;
    if (vec_reserve(b->options->m, &b->batch.edges, b->batch.edges.count + 1, e) != 0)
        return (int)e->code;
    lts_edge *edge = &b->batch.edges.at[b->batch.edges.count++];
    edge->from = (state_id)l->from;
    edge->to = (state_id)l->to;
    return number_label(b, l, line, &edge->label, e);
}

/* A line that the quick reader would not have; returns the next one, or NULL on failure. */
static const char *read_slowly(aut_block *b, const char *line, err *e)
{
    const char *end = rawmemchr(line, '\n'), *bad = line;
    aut_line l;
    aut_line_kind kind = aut_line_read(&l, line, (size_t)(end - line), &bad, e);
    if (kind == AUT_LINE_WRONG) wrong_at(b, bad, line, e);
    if (kind == AUT_LINE_TRANSITION) add_transition(b, &l, line, e);
    return e->code == ERR_NONE ? end + 1 : NULL;
}

static int read_lines(aut_block *b, const char *at, const char *end, err *e)
{
    for (; at < end; b->line++) {
        aut_line l;
        const char *next = aut_quick_read(&l, at);
        if (next == NULL) next = read_slowly(b, at, e);
        else if (add_transition(b, &l, at, e) != 0) return (int)e->code;
        if (next == NULL) return (int)e->code;
        at = next;
    }
    return 0;
}

int aut_block_read(aut_block *b, const text_block *text, size_t skip, err *e)
{
    b->line = b->column = 0;
    b->batch.edges.count = 0;
    if (read_lines(b, text->text + skip, text->text + text->bytes, e) != 0)
        return (int)e->code;
    if (text->broken) { /* the text was fine as far as it goes */
        b->column = text->rest;
        return err_set(e, text->why.code, "%s", text->why.text);
    }
    lts_batch_seal(&b->batch);
    return 0;
}
