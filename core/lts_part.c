#include "core/lts_part.h"

#include "core/label_table.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

void lts_batch_release(lts_batch *b, mem *m)
{
    vec_release(m, &b->edges);
    vec_release(m, &b->sorted);
}

void lts_batch_seal(lts_batch *b)
{
    b->ascends = true;
    for (size_t i = 1; i < b->edges.count && b->ascends; i++)
        b->ascends = b->edges.at[i - 1].from <= b->edges.at[i].from;
}

/* One stable pass of the radix sort, by the digit at `shift`. */
static void sort_by_digit(lts_edge *to, const lts_edge *from, size_t count,
                          unsigned shift)
{
    uint32_t start[DIGITS] = { 0 };
    for (size_t i = 0; i < count; i++) start[from[i].from >> shift & (DIGITS - 1)]++;
    uint32_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[start[from[i].from >> shift & (DIGITS - 1)]++] = from[i];
}

/* Leaves the edges sorted by source in b->edges. */
static int sort(lts_batch *b, mem *m, err *e)
{
    state_id most = 0;
    for (size_t i = 0; i < b->edges.count; i++)
        if (b->edges.at[i].from > most) most = b->edges.at[i].from;
    if (vec_reserve(m, &b->sorted, b->edges.count, e) != 0) return (int)e->code;
    for (unsigned shift = 0; shift < 32 && most >> shift != 0; shift += DIGIT_BITS) {
        sort_by_digit(b->sorted.at, b->edges.at, b->edges.count, shift);
        lts_edge *at = b->edges.at;
        size_t room = b->edges.room;
        b->edges.at = b->sorted.at, b->edges.room = b->sorted.room;
        b->sorted.at = at, b->sorted.room = room;
    }
    return 0;
}

static void pack_labels(void *into, const lts_batch *b, unsigned bytes)
{
    const lts_edge *edges = b->edges.at;
    size_t count = b->edges.count;
    if (bytes == 1)
        for (size_t i = 0; i < count; i++) ((uint8_t *)into)[i] = (uint8_t)edges[i].label;
    else if (bytes == 2)
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)into)[i] = (uint16_t)edges[i].label;
    else
        for (size_t i = 0; i < count; i++) ((uint32_t *)into)[i] = edges[i].label;
}

/* One block of the arena holds the three columns, the wide ones first. */
static int pack(lts_part *out, const lts_batch *b, label_id most, arena *a, err *e)
{
    size_t count = b->edges.count;
    unsigned label_bytes = label_table_width(most + 1);
    state_id *from = arena_get(a, count * (2 * sizeof *from + label_bytes), e);
    if (from == NULL) return (int)e->code;
    state_id *to = from + count;
    for (size_t i = 0; i < count; i++) from[i] = b->edges.at[i].from;
    for (size_t i = 0; i < count; i++) to[i] = b->edges.at[i].to;
    pack_labels(to + count, b, label_bytes);
    out->count = (uint32_t)count;
    out->label_bytes = label_bytes;
    out->from = from;
    out->to = to;
    out->label = to + count;
    return 0;
}

int lts_part_make(lts_part *out, lts_batch *b, const label_id *rename, mem *m, arena *a,
                  err *e)
{
    label_id most = 0;
    for (size_t i = 0; i < b->edges.count; i++) {
        label_id l = b->edges.at[i].label = rename[b->edges.at[i].label];
        if (l > most) most = l;
    }
    if (!b->ascends && sort(b, m, e) != 0) return (int)e->code;
    if (pack(out, b, most, a, e) != 0) return (int)e->code;
    b->edges.count = 0;
    return 0;
}

uint32_t lts_part_bound(const lts_part *p, uint64_t s)
{
    uint32_t lo = 0, hi = p->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (p->from[mid] < s) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}
