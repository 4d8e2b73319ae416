#include "lang/aut_range.h"

#include <omp.h>

/* One thread's. */
typedef struct lane {
    aut_block block;
    text_block text;
    uint64_t number; /* of the block */
    bool filled;     /* there was one in this round */
    err wrong;
} lane;

struct aut_range {
    const char *path;
    const load_options *options;
    source *src;
    text_blocks *blocks;
    aut_head head;
    bool pending; /* the rest of the head's block is still to be read */
    bool begun;
    int threads, active; /* active: that this range has work for */
    lane *lane;          /* of each thread */
    lane **round;        /* those with a batch, in order */
    aut_range_tally tally;
    uint64_t column; /* of a failure, in line tally.lines + 1 */
};

/* ---- opening --------------------------------------------------------------------------- */

static int open_text(aut_range *r, err *e)
{
    mem *m = r->options->m;
    r->head = aut_head_of(r->path, r->options);
    if (source_open(&r->src, m, r->path, e) != 0 ||
        text_blocks_open(&r->blocks, r->src, m, load_options_block(r->options), e) != 0)
        return (int)e->code;
    return aut_head_read(&r->head, r->blocks, e);
}

static void close_text(aut_range *r)
{
    aut_head_close(&r->head);
    text_blocks_close(r->blocks);
    source_close(r->src);
    r->blocks = NULL;
    r->src = NULL;
}

static int open_lanes(aut_range *r, err *e)
{
    mem *m = r->options->m;
    size_t threads = (size_t)r->threads;
    uint64_t limit = aut_head_limit(&r->head);
    r->lane = mem_get_array(m, threads, sizeof *r->lane, e);
    if (r->lane) r->round = mem_get_array(m, threads, sizeof *r->round, e);
    for (size_t i = 0; e->code == ERR_NONE && i < threads; i++)
        aut_block_open(&r->lane[i].block, r->options, limit, e);
    return (int)e->code;
}

int aut_range_open(aut_range **out, const char *path, const load_options *o, err *e)
{
    aut_range *r = mem_get(o->m, sizeof *r, e);
    if (r == NULL) return (int)e->code;
    r->path = path;
    r->options = o;
    r->threads = load_options_threads(o);
    if (open_text(r, e) == 0 && open_lanes(r, e) == 0) *out = r;
    else aut_range_close(r);
    return (int)e->code;
}

void aut_range_close(aut_range *r)
{
    if (r == NULL) return;
    mem *m = r->options->m;
    size_t threads = (size_t)r->threads;
    for (size_t i = 0; r->lane && i < threads; i++) {
        aut_block_close(&r->lane[i].block);
        text_block_release(&r->lane[i].text, m);
    }
    mem_put(m, r->round, threads * sizeof *r->round);
    mem_put(m, r->lane, threads * sizeof *r->lane);
    close_text(r);
    mem_put(m, r, sizeof *r);
}

const aut_head *aut_range_head(const aut_range *r) { return &r->head; }

bool aut_range_divides(const aut_range *r) { return source_is_plain(r->src); }

aut_range_tally aut_range_so_far(const aut_range *r) { return r->tally; }

uint64_t aut_range_done(const aut_range *r) { return text_blocks_done(r->blocks); }

/* ---- a range --------------------------------------------------------------------------- */

/* The bytes behind the head, in equal parts. */
static int begin_part(aut_range *r, uint32_t part, uint32_t parts, err *e)
{
    uint64_t total = source_plain_bytes(r->src), from = r->head.offset;
    uint64_t rest = total > from ? total - from : 0,
             block = load_options_block(r->options);
    text_blocks_close(r->blocks);
    r->blocks = NULL;
    if (text_blocks_open(&r->blocks, r->src, r->options->m, block, e) != 0)
        return (int)e->code;
    text_blocks_restrict(
        r->blocks, from + rest / parts * part + rest % parts * part / parts,
        from + rest / parts * (part + 1) + rest % parts * (part + 1) / parts);
    uint64_t blocks = (text_blocks_total(r->blocks) + block - 1) / block;
    r->active = blocks == 0                     ? 1
                : blocks < (uint64_t)r->threads ? (int)blocks
                                                : r->threads;
    return 0;
}

/* What is compressed is decoded from the beginning, and the head's block comes first. */
static int begin_whole(aut_range *r, err *e)
{
    if (r->begun) {
        close_text(r);
        if (open_text(r, e) != 0) return (int)e->code;
    }
    r->pending = r->begun = true;
    r->active = r->threads;
    return 0;
}

int aut_range_begin(aut_range *r, uint32_t part, uint32_t parts, err *e)
{
    r->tally = (aut_range_tally){ 0 };
    for (int i = 0; i < r->threads; i++) r->lane[i].block.rename.count = 0;
    return aut_range_divides(r) ? begin_part(r, part, parts, e) : begin_whole(r, e);
}

/* ---- a round --------------------------------------------------------------------------- */

static void read_block(lane *l, const text_block *text, size_t skip)
{
    l->number = text->number;
    if (l->wrong.code == ERR_NONE) aut_block_read(&l->block, text, skip, &l->wrong);
    else l->block.line = l->block.column = 0;
}

static void read_next(aut_range *r, lane *l)
{
    l->filled =
        text_blocks_next(r->blocks, &l->text, &l->wrong) || l->wrong.code != ERR_NONE;
    if (l->filled) read_block(l, &l->text, 0);
}

/* One thread's work; the first takes what stands behind the head. */
static void read_lane(aut_range *r, int i)
{
    lane *l = &r->lane[i];
    l->wrong.code = ERR_NONE;
    if (i > 0 || !r->pending) {
        read_next(r, l);
        return;
    }
    l->filled = true;
    read_block(l, &r->head.first, r->head.bytes);
}

/* Those with a batch, in the order of the file. */
static size_t sort_lanes(aut_range *r)
{
    size_t count = 0;
    for (int i = 0; i < r->active; i++) {
        lane *l = &r->lane[i];
        size_t at = count;
        if (!l->filled) continue;
        for (; at > 0 && r->round[at - 1]->number > l->number; at--)
            r->round[at] = r->round[at - 1];
        r->round[at] = l;
        count++;
    }
    return count;
}

static int enter(aut_range *r, lane *l, label_table *labels, err *e)
{
    aut_range_tally *t = &r->tally;
    if (l->wrong.code != ERR_NONE) err_set(e, l->wrong.code, "%s", l->wrong.text);
    else aut_block_enter_labels(&l->block, labels, e);
    t->lines += l->block.line;
    t->transitions += l->block.batch.edges.count;
    if (l->block.state_end > t->end) t->end = l->block.state_end;
    r->column = l->block.column;
    return (int)e->code;
}

size_t aut_range_round(aut_range *r, label_table *labels, err *e)
{
#pragma omp parallel for num_threads(r->active) schedule(static, 1) if (r->active > 1)
    for (int i = 0; i < r->active; i++) read_lane(r, i);
    r->pending = false;
    size_t count = sort_lanes(r);
    for (size_t i = 0; i < count; i++)
        if (enter(r, r->round[i], labels, e) != 0) return 0;
    return count;
}

lts_batch *aut_range_batch(aut_range *r, size_t i, const label_id **rename)
{
    *rename = r->round[i]->block.rename.at;
    return &r->round[i]->block.batch;
}

int aut_range_enter_hidden(const aut_range *r, label_table *labels, err *e)
{
    for (int i = 0; i < r->threads; i++)
        if (aut_block_enter_hidden(&r->lane[i].block, labels, e) != 0)
            return (int)e->code;
    return 0;
}

int aut_range_locate(const aut_range *r, uint64_t lines_before, err *e)
{
    uint64_t line = r->head.line + lines_before + r->tally.lines + 1;
    return aut_head_locate(&r->head, line, r->column + 1, e);
}
