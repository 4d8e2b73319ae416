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
#include "lang/aut_head.h"

#include <omp.h>

enum { STORE_BLOCKS = 64 /* a store's chunk, in blocks */ };

typedef struct reader {
    const load_options *options;
    source *src;
    text_blocks *blocks;
    size_t block_bytes;
    aut_head head;
    int threads;
    aut_block *block; /* one per thread */
    lts_store *store; /* one per thread */
    turnstile turn;   /* of blocks; guards `parts` and `lines` */
    lts_assembly parts;
    uint64_t lines; /* of all blocks that had their turn */
    err wrong;      /* the failure that counts; see read_body for its guard */
} reader;

static int open_text(reader *r, err *e)
{
    mem *m = r->options->m;
    if (source_open(&r->src, m, r->head.path, e) != 0 ||
        text_blocks_open(&r->blocks, r->src, m, r->block_bytes, e) != 0 ||
        aut_head_read(&r->head, r->blocks, e) != 0)
        return (int)e->code;
    for (uint64_t k = 0; k < r->head.first.number; k++)
        turnstile_pass(&r->turn); /* blank lines only: their turn is over */
    r->lines = r->head.line;
    return 0;
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
    const aut_header *h = &r->head.counts;
    r->block = mem_get_array(m, threads, sizeof *r->block, e);
    if (r->block) r->store = mem_get_array(m, threads, sizeof *r->store, e);
    for (size_t i = 0; e->code == ERR_NONE && i < threads; i++) {
        r->store[i].memory = ARENA_INIT(m, store_chunk(r));
        aut_block_open(&r->block[i], r->options, aut_head_limit(&r->head), e);
    }
    if (e->code != ERR_NONE) return (int)e->code;
    if (lts_assembly_open(&r->parts, m, lenient ? 0 : (state_id)h->states,
                          lenient ? 0 : h->transitions, e) != 0)
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
    aut_head_locate(&r->head, r->lines + b->line + 1, b->column + 1, e);
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
    bool more = thread != 0 || add_block(r, thread, &r->head.first, r->head.bytes, e);
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

static int finish(reader *r, lts *out, err *e)
{
    uint64_t end = 0;
    state_id states = 0;
    for (int i = 0; i < r->threads; i++)
        if (r->block[i].state_end > end) end = r->block[i].state_end;
    if (aut_head_check(&r->head, r->parts.count, end, &states, e) != 0)
        return (int)e->code;
    for (int i = 0; i < r->threads; i++)
        if (aut_block_enter_hidden(&r->block[i], r->parts.g.labels, e) != 0)
            return (int)e->code;
    return lts_assembly_finish(&r->parts, out, states, (state_id)r->head.counts.initial,
                               r->store, (size_t)r->threads, r->threads, e);
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
    aut_head_close(&r->head);
    text_blocks_close(r->blocks);
    source_close(r->src);
}

int aut_read(lts *out, const char *path, const load_options *o, err *e)
{
    reader r = { .options = o,
                 .block_bytes = load_options_block(o),
                 .head = aut_head_of(path, o),
                 .threads = load_options_threads(o) };
    turnstile_open(&r.turn);
    *out = (lts){ .m = o->m };
    if (open_text(&r, e) == 0 && read_body(&r, e) == 0) finish(&r, out, e);
    reader_close(&r);
    if (e->code != ERR_NONE) lts_close(out);
    return (int)e->code;
}
