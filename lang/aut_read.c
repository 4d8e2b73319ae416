/*
 * aut_read - an AUT file at the speed of its bytes, on all cores.
 *
 * Idea       The text is cut into blocks of whole lines (text_blocks).  Threads take blocks
 *            in order and read each into a batch (aut_block); then the block has its turn,
 *            in the order of the file: new labels get their numbers, line numbers are
 *            known, its place among the transitions is (lts_assembly).  Copying it
 *            there happens in parallel again.
 * Invariant  After block k's turn everything that depends on the order of the file is
 *            settled for blocks 0 .. k.  So the first mistake of the file is the one
 *            reported, and nothing in the result depends on which thread read what.
 * Cost       One pass over the text; turns are a few instructions.
 */
#include "core/lts_assembly.h"
#include "core/turnstile.h"
#include "lang/aut.h"
#include "lang/aut_block.h"
#include "lang/aut_line.h"
#include "lang/plts_layout.h"

#include <omp.h>
#include <string.h>

enum { BLOCK_BYTES = 256 << 10, STORE_BLOCKS = 64 /* a store's chunk, in blocks */ };

typedef struct reader {
    const load_options *options;
    const char *path;
    source *src;
    text_blocks *blocks;
    size_t block_bytes;
    text_block first;    /* the block with the header */
    size_t header_at;    /* where in it the header begins, */
    size_t header_bytes; /*   and where the line behind it */
    aut_header header;
    int threads;
    aut_block *block; /* one per thread */
    lts_store *store; /* one per thread */
    turnstile turn;   /* of blocks; guards `parts` and `lines` */
    lts_assembly parts;
    uint64_t header_line; /* the line of the header, from 1 */
    uint64_t lines;       /* of all blocks that had their turn */
    err wrong;            /* the failure that counts; see read_body for its guard */
} reader;

/* ---- the header ---------------------------------------------------------------------- */

/* Say where in the file a failure happened, both from 1.  A limit has no place. */
static int locate(const reader *r, uint64_t line, uint64_t column, err *e)
{
    if (e->code == ERR_LIMIT) return (int)e->code;
    err located = ERR_INIT;
    err_set(&located, e->code, "%s:%llu:%llu: %.400s", r->path, (unsigned long long)line,
            (unsigned long long)column, e->text);
    *e = located;
    return (int)e->code;
}

static int wrong_in_header(const reader *r, const char *at, const char *line, err *e)
{
    return locate(r, r->header_line, (uint64_t)(at - line) + 1, e);
}

/* Counts that an interrupted writer left open are an error unless --lenient. */
static int check_known(reader *r, bool known, const char *at, const char *line,
                       const char *what, err *e)
{
    if (known || r->options->lenient) return 0;
    err_set(
        e, ERR_INPUT,
        "the number of %s is '?', as an interrupted writer leaves it; expected a number "
        "(--lenient counts)",
        what);
    return wrong_in_header(r, at, line, e);
}

static int check_header(reader *r, const char *line, err *e)
{
    const aut_header *h = &r->header;
    bool lenient = r->options->lenient;
    if (check_known(r, h->transitions_known, h->transitions_at, line, "transitions", e) !=
            0 ||
        check_known(r, h->states_known, h->states_at, line, "states", e) != 0)
        return (int)e->code;
    if (h->states_known && (h->states > STATES_MAX || (h->states == 0 && !lenient))) {
        err_set(e, ERR_INPUT, "%llu states; expected 1 to 4294967294 (2^32 - 2)",
                (unsigned long long)h->states);
        return wrong_in_header(r, h->states_at, line, e);
    }
    if (h->initial < (lenient ? STATES_MAX : h->states)) return 0;
    err_set(e, ERR_INPUT,
            "the initial state is %llu; expected less than the number of states",
            (unsigned long long)h->initial);
    return wrong_in_header(r, h->initial_at, line, e);
}

/* The first line that is not blank is the header: is it in this block? */
static bool find_header(reader *r)
{
    const char *text = r->first.text;
    size_t at = 0, length;
    for (; at < r->first.bytes; at += length + 1) {
        length = (size_t)((const char *)rawmemchr(text + at, '\n') - (text + at));
        r->lines++;
        if (strspn(text + at, " \t\r\f\v") == length) continue;
        r->header_at = at;
        r->header_bytes = at + length + 1;
        r->header_line = r->lines;
        return true;
    }
    return false;
}

static int read_header(reader *r, err *e)
{
    const char *line = r->first.text + r->header_at, *wrong_at = line;
    size_t length = r->header_bytes - r->header_at - 1;
    if (r->header_at == 0 && plts_layout_is_line(line, length))
        err_set(e, ERR_INPUT,
                "expected 'des (', found a .plts, which is read from a file, never from "
                "a pipe");
    else aut_header_read(&r->header, line, length, &wrong_at, e);
    if (e->code != ERR_NONE) return wrong_in_header(r, wrong_at, line, e);
    return check_header(r, line, e);
}

/* The source failed before the header was complete. */
static int broken_header(const reader *r, err *e)
{
    *e = r->first.why;
    return locate(r, r->lines + 1, r->first.rest + 1, e);
}

static int open_text(reader *r, err *e)
{
    mem *m = r->options->m;
    if (source_open(&r->src, m, r->path, e) != 0 ||
        text_blocks_open(&r->blocks, r->src, m, r->block_bytes, e) != 0)
        return (int)e->code;
    while (text_blocks_next(r->blocks, &r->first, e)) {
        if (find_header(r)) return read_header(r, e);
        if (r->first.broken) return broken_header(r, e);
        turnstile_pass(&r->turn); /* blank lines only: its turn is over */
    }
    if (e->code != ERR_NONE) return locate(r, r->lines + 1, 1, e);
    return err_set(e, ERR_INPUT,
                   "%s:1:1: the file is empty; expected 'des (', then counts", r->path);
}

/* ---- the body -------------------------------------------------------------------------- */

/* Large enough for huge pages, small enough that all threads together take no more than
   twice the text: parts need 12 bytes at most for 8 of it. */
static size_t store_chunk(const reader *r)
{
    uint64_t share = 2 * text_blocks_total(r->blocks) / (uint64_t)r->threads;
    size_t most = STORE_BLOCKS * r->block_bytes;
    if (share == 0 || share > most) return most;
    return share < r->block_bytes ? r->block_bytes : (size_t)share;
}

static int open_threads(reader *r, err *e)
{
    mem *m = r->options->m;
    size_t threads = (size_t)r->threads;
    bool lenient = r->options->lenient;
    uint64_t limit = lenient ? STATES_MAX : r->header.states;
    r->block = mem_get_array(m, threads, sizeof *r->block, e);
    if (r->block) r->store = mem_get_array(m, threads, sizeof *r->store, e);
    for (size_t i = 0; e->code == ERR_NONE && i < threads; i++) {
        r->store[i].memory = ARENA_INIT(m, store_chunk(r));
        aut_block_open(&r->block[i], r->options, limit, e);
    }
    if (e->code != ERR_NONE) return (int)e->code;
    if (lts_assembly_open(&r->parts, m, lenient ? 0 : (state_id)r->header.states,
                          lenient ? 0 : r->header.transitions, e) != 0)
        return (int)e->code;
    return load_options_hide(r->options, r->parts.g.labels, e);
}

/* In turn: all that depends on the order of the file. */
static int enter_block(reader *r, aut_block *b, uint64_t number, lts_ticket *out, err *e)
{
    if (e->code == ERR_NONE) aut_block_enter_labels(b, r->parts.g.labels, e);
    if (e->code == ERR_NONE) lts_assembly_turn(&r->parts, out, number, &b->batch, e);
    if (e->code == ERR_NONE) {
        r->lines += b->line;
        turnstile_pass(&r->turn);
        return 0;
    }
    locate(r, r->lines + b->line + 1, b->column + 1, e);
    turnstile_stop(&r->turn);
    return (int)e->code;
}

/* Whatever became of reading the block, it has its turn; false when all is over. */
static bool add_block(reader *r, size_t thread, const text_block *text, size_t skip,
                      err *e)
{
    aut_block *b = &r->block[thread];
    lts_ticket ticket;
    if (e->code == ERR_NONE) aut_block_read(b, text, skip, e);
    else b->line = b->column = 0;
    if (!turnstile_wait(&r->turn, text->number)) {
        *e = ERR_INIT; /* an earlier failure counts, not ours */
        return false;
    }
    if (enter_block(r, b, text->number, &ticket, e) != 0) return false;
    if (lts_assembly_place(&r->parts, &ticket, &b->batch, b->rename.at, &r->store[thread],
                           e) == 0)
        return true;
    turnstile_stop(&r->turn);
    return false;
}

/* What one thread does: block after block. */
static void read_blocks(reader *r, size_t thread, err *e)
{
    text_block text = { 0 };
    bool more = thread != 0 || add_block(r, thread, &r->first, r->header_bytes, e);
    while (more) {
        more = text_blocks_next(r->blocks, &text, e);
        if (more) progress_tick(r->options->clock, text_blocks_done(r->blocks), e);
        if (more || e->code != ERR_NONE) more = add_block(r, thread, &text, 0, e);
    }
    text_block_release(&text, r->options->m);
}

static int read_body(reader *r, err *e)
{
    uint64_t total = text_blocks_total(r->blocks);
    if (total != 0 && total <= r->block_bytes)
        r->threads = 1; /* others would only wait */
    if (open_threads(r, e) != 0) return (int)e->code;
    progress_begin(r->options->clock, "reading", "bytes", text_blocks_total(r->blocks));
#pragma omp parallel num_threads(r->threads)
    {
        err mine = ERR_INIT;
        read_blocks(r, (size_t)omp_get_thread_num(), &mine);
#pragma omp critical(aut_read_wrong)
        if (mine.code != ERR_NONE) err_set(&r->wrong, mine.code, "%s", mine.text);
    }
    progress_tick(r->options->clock, text_blocks_done(r->blocks), e);
    progress_end(r->options->clock);
    if (r->wrong.code != ERR_NONE) *e = r->wrong;
    return (int)e->code;
}

/* ---- the end --------------------------------------------------------------------------- */

/* A count of the header that the body does not bear out. */
static int mismatch(const reader *r, const char *at, const char *what, uint64_t said,
                    uint64_t found, err *e)
{
    const char *line = memrchr(r->first.text, '\n', (size_t)(at - r->first.text));
    size_t column = (size_t)(at - (line ? line + 1 : r->first.text)) + 1;
    unsigned long long row = r->header_line, was = said, is = found;
    if (!r->options->lenient)
        return err_set(
            e, ERR_INPUT,
            "%s:%llu:%zu: the header says %llu %s, but the file has %llu; expected "
            "equal numbers (--lenient goes by the file)",
            r->path, row, column, was, what, is);
    log_warn(r->options->log,
             "%s:%llu:%zu: the header says %llu %s, but the file has %llu", r->path, row,
             column, was, what, is);
    return 0;
}

/* The number of states: the header's, or in a lenient reading what the file needs. */
static int count_states(const reader *r, state_id *out, err *e)
{
    const aut_header *h = &r->header;
    uint64_t end = h->initial + 1;
    for (int i = 0; i < r->threads; i++)
        if (r->block[i].state_end > end) end = r->block[i].state_end;
    if (h->states_known && h->states < end &&
        mismatch(r, h->states_at, "states", h->states, end, e) != 0)
        return (int)e->code;
    *out = (state_id)(h->states_known && h->states > end ? h->states : end);
    return 0;
}

static int finish(reader *r, lts *out, err *e)
{
    const aut_header *h = &r->header;
    state_id states = 0;
    if (h->transitions_known && h->transitions != r->parts.count &&
        mismatch(r, h->transitions_at, "transitions", h->transitions, r->parts.count,
                 e) != 0)
        return (int)e->code;
    if (count_states(r, &states, e) != 0) return (int)e->code;
    for (int i = 0; i < r->threads; i++)
        if (aut_block_enter_hidden(&r->block[i], r->parts.g.labels, e) != 0)
            return (int)e->code;
    if (!h->transitions_known || !h->states_known)
        log_warn(r->options->log,
                 "%s:%llu: the header has '?'; %llu transitions, %u states", r->path,
                 (unsigned long long)r->header_line, (unsigned long long)r->parts.count,
                 states);
    return lts_assembly_finish(&r->parts, out, states, (state_id)h->initial, r->store,
                               (size_t)r->threads, r->threads, e);
}

static void reader_close(reader *r)
{
    mem *m = r->options->m;
    size_t threads = (size_t)r->threads;
    lts_assembly_close(&r->parts);
    for (size_t i = 0; r->store && i < threads; i++) lts_store_release(&r->store[i], m);
    for (size_t i = 0; r->block && i < threads; i++) aut_block_close(&r->block[i]);
    mem_put(m, r->store, threads * sizeof *r->store);
    mem_put(m, r->block, threads * sizeof *r->block);
    turnstile_close(&r->turn);
    text_block_release(&r->first, m);
    text_blocks_close(r->blocks);
    source_close(r->src);
}

int aut_read(lts *out, const char *path, const load_options *o, err *e)
{
    reader r = { .options = o, .path = path, .threads = load_options_threads(o) };
    r.block_bytes = o->block_bytes > 0 ? o->block_bytes : BLOCK_BYTES;
    turnstile_open(&r.turn);
    *out = (lts){ .m = o->m };
    if (open_text(&r, e) == 0 && read_body(&r, e) == 0) finish(&r, out, e);
    reader_close(&r);
    if (e->code != ERR_NONE) lts_close(out);
    return (int)e->code;
}
