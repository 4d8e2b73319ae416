#include "lang/text_blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct text_blocks {
    source *src; /* borrowed */
    mem *m;      /* borrowed */
    size_t block_bytes;
    uint64_t begin, end;      /* plain: the lines that begin at begin .. end-1 */
    _Atomic uint64_t done;    /* bytes handed out */
    _Atomic uint64_t claimed; /* plain: stretches claimed so far */
    pthread_mutex_t decoder;  /* compressed: guards the four fields below and `src` */
    char *tail;               /* owned; the beginning of a line, cut off the last block */
    size_t tail_bytes, tail_room;
    uint64_t decoded; /* blocks decoded so far */
    bool ended;
};

int text_blocks_open(text_blocks **out, source *s, mem *m, size_t block_bytes, err *e)
{
    text_blocks *b = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    b->src = s;
    b->m = m;
    b->block_bytes = block_bytes;
    b->end = source_is_plain(s) ? source_plain_bytes(s) : 0;
    pthread_mutex_init(&b->decoder, NULL);
    *out = b;
    return 0;
}

void text_blocks_restrict(text_blocks *b, uint64_t begin, uint64_t end)
{
    b->begin = begin < b->end ? begin : b->end;
    b->end = end < b->end ? end : b->end;
}

void text_blocks_close(text_blocks *b)
{
    if (b == NULL) return;
    pthread_mutex_destroy(&b->decoder);
    mem_put(b->m, b->tail, b->tail_room);
    mem_put(b->m, b, sizeof *b);
}

void text_block_release(text_block *t, mem *m)
{
    mem_put(m, t->buffer, t->room);
    *t = (text_block){ 0 };
}

uint64_t text_blocks_done(const text_blocks *b)
{
    return atomic_load_explicit(&b->done, memory_order_relaxed);
}

uint64_t text_blocks_total(const text_blocks *b)
{
    return b->end > b->begin ? b->end - b->begin : 0;
}

/* Room for `bytes` of text between the pads; what stands there is kept. */
static int make_room(text_blocks *b, text_block *t, size_t bytes, err *e)
{
    size_t want = bytes + 2 * TEXT_BLOCKS_PAD;
    if (want <= t->room) return 0;
    if (t->room != 0 && want < 2 * t->room) want = 2 * t->room;
    char *wider = mem_resize(b->m, t->buffer, t->room, want, e);
    if (wider == NULL) return (int)e->code;
    t->buffer = wider;
    t->room = want;
    return 0;
}

static size_t text_room(const text_block *t) { return t->room - 2 * TEXT_BLOCKS_PAD; }

/* ---- plain files ------------------------------------------------------------------- */

/* Append up to `more` bytes of the file at `offset`; less only at its end. */
static int append_at(text_blocks *b, text_block *t, uint64_t offset, size_t more, err *e)
{
    if (make_room(b, t, t->bytes + more, e) != 0) return (int)e->code;
    while (more > 0) {
        char *into = t->buffer + TEXT_BLOCKS_PAD + t->bytes;
        ssize_t got = source_read_at(b->src, offset, into, more, e);
        if (got < 0) return (int)e->code;
        if (got == 0) return 0;
        t->bytes += (size_t)got;
        offset += (uint64_t)got;
        more -= (size_t)got;
    }
    return 0;
}

/* The line that begins last may end beyond the stretch: read on to its end. */
static int read_to_line_end(text_blocks *b, text_block *t, uint64_t offset, err *e)
{
    enum { STEP = 4096 };
    for (size_t step = STEP;; step *= 2) {
        size_t before = t->bytes;
        if (append_at(b, t, offset, step, e) != 0) return (int)e->code;
        char *added = t->buffer + TEXT_BLOCKS_PAD + before;
        char *end = memchr(added, '\n', t->bytes - before);
        if (end) t->bytes = before + (size_t)(end - added) + 1;
        if (end || t->bytes - before < step) return 0;
        offset += step;
    }
}

/*
 * Fill `t` with the lines that begin at from .. to-1.  The byte before `from` is read too:
 * if it ends a line, a line begins at `from`, otherwise the first begins later.
 */
static int read_stretch(text_blocks *b, text_block *t, uint64_t from, uint64_t to, err *e)
{
    uint64_t start = from == 0 ? 0 : from - 1;
    t->bytes = 0;
    if (append_at(b, t, start, (size_t)(to - start), e) != 0) return (int)e->code;
    char *text = t->buffer + TEXT_BLOCKS_PAD;
    size_t skip = 0;
    if (from > 0) {
        char *first = memchr(text, '\n', t->bytes);
        if (first == NULL || first + 1 == text + t->bytes) { /* none begins here */
            t->bytes = 0;
            t->text = text;
            return 0;
        }
        skip = (size_t)(first + 1 - text);
    }
    if (t->bytes == (size_t)(to - start) && text[t->bytes - 1] != '\n' &&
        read_to_line_end(b, t, to, e) != 0)
        return (int)e->code;
    t->text = t->buffer + TEXT_BLOCKS_PAD + skip;
    t->bytes -= skip;
    return 0;
}

static bool next_plain(text_blocks *b, text_block *t, err *e)
{
    uint64_t k = atomic_fetch_add(&b->claimed, 1), from = b->begin + k * b->block_bytes;
    if (from >= b->end) return false;
    uint64_t to = b->end - from > b->block_bytes ? from + b->block_bytes : b->end;
    t->number = k;
    return read_stretch(b, t, from, to, e) == 0;
}

/* ---- compressed files and pipes ------------------------------------------------------ */

/* Decode behind what is there until the block is full or the source ends or fails. */
static int decode_more(text_blocks *b, text_block *t, size_t target, err *e)
{
    if (make_room(b, t, target, e) != 0) return (int)e->code;
    while (t->bytes < target && !b->ended) {
        char *into = t->buffer + TEXT_BLOCKS_PAD + t->bytes;
        ssize_t got = source_read(b->src, into, target - t->bytes, &t->why);
        if (got > 0) t->bytes += (size_t)got;
        b->ended = got <= 0;
        t->broken = got < 0;
    }
    return 0;
}

/* Keep the unfinished last line for the next block. */
static int cut_tail(text_blocks *b, text_block *t, size_t whole, err *e)
{
    size_t rest = t->bytes - whole;
    if (rest > b->tail_room) {
        char *wider = mem_resize(b->m, b->tail, b->tail_room, 2 * rest, e);
        if (wider == NULL) return (int)e->code;
        b->tail = wider;
        b->tail_room = 2 * rest;
    }
    if (rest > 0) memcpy(b->tail, t->text + whole, rest);
    b->tail_bytes = rest;
    t->bytes = whole;
    return 0;
}

/* Holding the lock: tail of the last block, then fresh text up to a line's end. */
static int decode_block(text_blocks *b, text_block *t, err *e)
{
    t->bytes = 0;
    t->number = b->decoded++;
    if (make_room(b, t, b->tail_bytes, e) != 0) return (int)e->code;
    if (b->tail_bytes > 0) memcpy(t->buffer + TEXT_BLOCKS_PAD, b->tail, b->tail_bytes);
    t->bytes = b->tail_bytes;
    b->tail_bytes = 0;
    char *last = NULL;
    for (size_t target = b->block_bytes; last == NULL; target = 2 * text_room(t)) {
        if (target < t->bytes + b->block_bytes) target = t->bytes + b->block_bytes;
        if (decode_more(b, t, target, e) != 0) return (int)e->code;
        t->text = t->buffer + TEXT_BLOCKS_PAD;
        if (b->ended) break;
        last = memrchr(t->text, '\n', t->bytes);
    }
    return last ? cut_tail(b, t, (size_t)(last + 1 - t->text), e) : 0;
}

static bool next_decoded(text_blocks *b, text_block *t, err *e)
{
    pthread_mutex_lock(&b->decoder);
    bool more = !b->ended && decode_block(b, t, e) == 0;
    if (e->code != ERR_NONE) b->ended = true;
    pthread_mutex_unlock(&b->decoder);
    return more;
}

/* ------------------------------------------------------------------------------------ */

/* The last line may lack its newline: add one, or leave the line out of a broken block. */
static int close_last_line(text_blocks *b, text_block *t, err *e)
{
    if (t->bytes == 0 || t->text[t->bytes - 1] == '\n') return 0;
    if (t->broken) {
        char *last = memrchr(t->text, '\n', t->bytes);
        t->rest = last ? t->bytes - (size_t)(last + 1 - t->text) : t->bytes;
        t->bytes -= t->rest;
        return 0;
    }
    size_t skip = (size_t)(t->text - t->buffer) - TEXT_BLOCKS_PAD;
    if (make_room(b, t, skip + t->bytes + 1, e) != 0) return (int)e->code;
    t->text = t->buffer + TEXT_BLOCKS_PAD + skip;
    t->text[t->bytes++] = '\n';
    return 0;
}

bool text_blocks_next(text_blocks *b, text_block *out, err *e)
{
    out->broken = false;
    out->rest = 0;
    out->why = ERR_INIT;
    bool more = source_is_plain(b->src) ? next_plain(b, out, e) : next_decoded(b, out, e);
    if (!more || close_last_line(b, out, e) != 0) return false;
    atomic_fetch_add_explicit(&b->done, out->bytes, memory_order_relaxed);
    return true;
}
