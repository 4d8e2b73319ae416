/*
 * lts_build - a counting sort whose scattered writes stay in the cache.
 *
 * Idea       Every part is sorted by source.  The states are cut into strips, one thread
 *            works on a strip; a strip is filled tile by tile, a tile being so few states
 *            that its counters and its stretch of the arrays fit the cache.  For a tile each
 *            part contributes a slice, found by going on from where the last one ended.
 *            A file written state by state is the easy case: few parts meet a tile.
 * Invariant  at[p] is the first position in part p that is not yet placed; all positions
 *            before it have sources below the tile.  Parts are visited in their order, so
 *            the order within a state is that of the input.
 * Cost       Two passes over each slice, the second from the cache; strips are independent.
 */
#include "core/lts_build.h"

#include <omp.h>

enum { TILE_BITS = 15, TILE = 1 << TILE_BITS, STRIPS_PER_THREAD = 8 };

/* What all threads share, read-only while strips are filled. */
typedef struct plan {
    lts *g;
    const lts_part *parts;
    size_t part_count;
    size_t strips;
    uint64_t tiles;
    uint32_t *bound; /* owned; [strip][part]: where the strip begins in the part */
} plan;

/* What one thread needs to fill a strip. */
typedef struct filler {
    uint32_t *at;   /* per listed part: see the invariant */
    uint32_t *end;  /* per listed part: where the strip ends */
    size_t *part;   /* the parts that meet the strip, in their order */
    size_t count;   /* of these */
    uint64_t *next; /* per state of the tile: number of its transitions, then where the
                        next one goes */
} filler;

static uint64_t strip_begin(const plan *p, size_t strip)
{
    uint64_t state = p->tiles * strip / p->strips << TILE_BITS;
    return state < p->g->states ? state : p->g->states;
}

static uint32_t *bounds_of(const plan *p, size_t strip)
{
    return p->bound + strip * p->part_count;
}

static void find_bounds(const plan *p, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t strip = 0; strip <= p->strips; strip++)
        for (size_t k = 0; k < p->part_count; k++)
            bounds_of(p, strip)[k] = lts_part_bound(&p->parts[k], strip_begin(p, strip));
}

static uint64_t transitions_before(const plan *p, size_t strip)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < p->part_count; k++) sum += bounds_of(p, strip)[k];
    return sum;
}

static void list_parts(filler *f, const plan *p, size_t strip)
{
    const uint32_t *begin = bounds_of(p, strip), *end = bounds_of(p, strip + 1);
    f->count = 0;
    for (size_t k = 0; k < p->part_count; k++) {
        if (begin[k] == end[k]) continue;
        f->part[f->count] = k;
        f->at[f->count] = begin[k];
        f->end[f->count++] = end[k];
    }
}

static void count_tile(filler *f, const plan *p, uint64_t lo, uint64_t hi)
{
    for (uint64_t s = lo; s < hi; s++) f->next[s - lo] = 0;
    for (size_t i = 0; i < f->count; i++) {
        const state_id *from = p->parts[f->part[i]].from;
        for (uint32_t k = f->at[i]; k < f->end[i] && from[k] < hi; k++)
            f->next[from[k] - lo]++;
    }
}

/* Turn counts into positions and enter them as row bounds; returns the tile's end. */
static uint64_t set_rows(filler *f, lts *g, uint64_t lo, uint64_t hi, uint64_t start)
{
    for (uint64_t s = lo; s < hi; s++) {
        uint64_t count = f->next[s - lo];
        f->next[s - lo] = g->first[s] = start;
        start += count;
    }
    return start;
}

static inline label_id part_label(const lts_part *p, uint32_t k)
{
    if (p->label_bytes == 1) return ((const uint8_t *)p->label)[k];
    if (p->label_bytes == 2) return ((const uint16_t *)p->label)[k];
    return ((const uint32_t *)p->label)[k];
}

static uint32_t place_slice(uint64_t *next, lts *g, const lts_part *part, uint32_t k,
                            uint32_t end, uint64_t lo, uint64_t hi)
{
    for (; k < end && part->from[k] < hi; k++) {
        uint64_t t = next[part->from[k] - lo]++;
        g->target[t] = part->to[k];
        lts_set_label(g, t, part_label(part, k));
    }
    return k;
}

static void fill_strip(filler *f, const plan *p, size_t strip)
{
    uint64_t begin = strip_begin(p, strip), end = strip_begin(p, strip + 1);
    uint64_t start = transitions_before(p, strip);
    list_parts(f, p, strip);
    for (uint64_t lo = begin; lo < end; lo += TILE) {
        uint64_t hi = lo + TILE < end ? lo + TILE : end;
        count_tile(f, p, lo, hi);
        start = set_rows(f, p->g, lo, hi, start);
        for (size_t i = 0; i < f->count; i++)
            f->at[i] = place_slice(f->next, p->g, &p->parts[f->part[i]], f->at[i],
                                   f->end[i], lo, hi);
    }
}

static size_t filler_bytes(const plan *p)
{
    return TILE * sizeof(uint64_t) +
           p->part_count * (sizeof(size_t) + 2 * sizeof(uint32_t));
}

static filler filler_over(void *block, const plan *p)
{
    filler f = { .next = block };
    f.part = (size_t *)(f.next + TILE);
    f.at = (uint32_t *)(f.part + p->part_count);
    f.end = f.at + p->part_count;
    return f;
}

static int fill_strips(const plan *p, int threads, err *e)
{
    size_t bytes = filler_bytes(p);
    char *scratch = mem_get_array(p->g->m, (size_t)threads, bytes, e);
    if (scratch == NULL) return (int)e->code;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t strip = 0; strip < p->strips; strip++) {
        filler f = filler_over(scratch + (size_t)omp_get_thread_num() * bytes, p);
        fill_strip(&f, p, strip);
    }
    p->g->first[p->g->states] = p->g->transitions;
    mem_put(p->g->m, scratch, (size_t)threads * bytes);
    return 0;
}

static uint64_t total(const lts_part *parts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += parts[i].count;
    return sum;
}

int lts_build(lts *g, const lts_part *parts, size_t count, int threads, err *e)
{
    plan p = { .g = g, .parts = parts, .part_count = count };
    p.tiles = ((uint64_t)g->states + TILE - 1) >> TILE_BITS;
    p.strips = (size_t)threads * STRIPS_PER_THREAD;
    g->transitions = total(parts, count);
    g->label_bytes = label_table_width(label_table_count(g->labels));
    if (lts_allocate(g, e) != 0) return (int)e->code;
    size_t bounds = (p.strips + 1) * count;
    p.bound = mem_get_array(g->m, bounds, sizeof *p.bound, e);
    if (p.bound == NULL) return (int)e->code;
    find_bounds(&p, threads);
    fill_strips(&p, threads, e);
    mem_put(g->m, p.bound, bounds * sizeof *p.bound);
    return (int)e->code;
}
