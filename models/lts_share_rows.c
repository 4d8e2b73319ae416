/*
 * lts_share_rows - a counting sort in place.
 *
 * Idea       Transitions are kept as they arrive, in three columns, and which rank sent how many in
 *            a row.  At the end counts of the sources say where each row lies; going through what
 *            each sender sent, in the order of the senders, every transition gets its place, which
 *            is written over its source.  Then the other columns are permuted, and they are
 *            the rows.  The permutation is done coarsely first, into buckets that fit the cache,
 *            each filled from its head on; and then within the buckets, along its cycles.
 * Invariant  While buckets are filled, what lies before a bucket's head belongs there.
 * Cost       Two passes of swaps.  Memory: 4 bytes per transition more than the rows have, and what
 *            is reserved for more to come.
 */
#include "models/lts_share_rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------- */

static int set_room(mem *m, lts_share_column *c, uint64_t room, err *e)
{
    void *cell = mem_resize(m, c->cell, c->room * c->width, room * c->width, e);
    if (cell == NULL) return (int)e->code;
    c->cell = cell;
    c->room = room;
    return 0;
}

static void release(mem *m, lts_share_column *c)
{
    mem_put(m, c->cell, c->room * c->width);
    c->cell = NULL;
    c->room = 0;
}

/* Large columns are moved by the page, not copied, so they grow by little. */
static int make_room(mem *m, lts_share_column *c, uint64_t want, err *e)
{
    enum { COPIED_UP_TO = MEM_HUGE_FROM };
    if (want <= c->room) return 0;
    uint64_t more = c->room * c->width < COPIED_UP_TO ? c->room : c->room / 32;
    return set_room(m, c, c->room + more > want ? c->room + more : want, e);
}

static inline label_id label_at(const lts_share_column *c, uint64_t i)
{
    if (c->width == 1) return ((const uint8_t *)c->cell)[i];
    if (c->width == 2) return ((const uint16_t *)c->cell)[i];
    return ((const uint32_t *)c->cell)[i];
}

static inline void set_label(lts_share_column *c, uint64_t i, label_id l)
{
    if (c->width == 1) ((uint8_t *)c->cell)[i] = (uint8_t)l;
    else if (c->width == 2) ((uint16_t *)c->cell)[i] = (uint16_t)l;
    else ((uint32_t *)c->cell)[i] = l;
}

/* From the end on, so that nothing is overwritten before it was read. */
static int widen(lts_share_rows *r, unsigned width, err *e)
{
    lts_share_column narrow = r->label, wide = { .room = narrow.room, .width = width };
    wide.cell = mem_resize(r->m, narrow.cell, narrow.room * narrow.width,
                           wide.room * wide.width, e);
    if (wide.cell == NULL) return (int)e->code;
    narrow.cell = wide.cell;
    for (uint64_t i = r->count; i-- > 0;) set_label(&wide, i, label_at(&narrow, i));
    r->label = wide;
    return 0;
}

/* ---- arrival --------------------------------------------------------------------------- */

void lts_share_rows_open(lts_share_rows *r, mem *m)
{
    *r = (lts_share_rows){ .m = m };
    r->at.width = r->to.width = sizeof(state_id);
    r->label.width = 1;
}

/* What a header promises may be more than there is memory, and less may come. */
void lts_share_rows_expect(lts_share_rows *r, uint64_t count)
{
    err unwilling = ERR_INIT;
    if (make_room(r->m, &r->at, count, &unwilling) == 0 &&
        make_room(r->m, &r->to, count, &unwilling) == 0)
        make_room(r->m, &r->label, count, &unwilling);
}

void lts_share_rows_close(lts_share_rows *r)
{
    if (r->m == NULL) return;
    vec_release(r->m, &r->runs);
    release(r->m, &r->at);
    release(r->m, &r->to);
    release(r->m, &r->label);
    r->m = NULL;
}

/* The width that the labels of these edges need. */
static unsigned width_of(const lts_edge *edges, size_t count)
{
    label_id seen = 0;
    for (size_t i = 0; i < count; i++) seen |= edges[i].label;
    return seen < UINT32_C(1) << 8 ? 1 : seen < UINT32_C(1) << 16 ? 2 : 4;
}

static int enter_run(lts_share_rows *r, uint32_t sender, size_t count, err *e)
{
    lts_share_rows_run *last = r->runs.count > 0 ? &r->runs.at[r->runs.count - 1] : NULL;
    if (last && last->sender == sender && count <= UINT32_MAX - last->count) {
        last->count += (uint32_t)count;
        return 0;
    }
    lts_share_rows_run run = { r->count, (uint32_t)count, sender };
    return vec_push(r->m, &r->runs, run, e);
}

int lts_share_rows_add(lts_share_rows *r, uint32_t sender, const lts_edge *edges,
                       size_t count, err *e)
{
    unsigned width = width_of(edges, count);
    uint64_t base = r->count, want = base + count;
    if (make_room(r->m, &r->at, want, e) != 0 || make_room(r->m, &r->to, want, e) != 0 ||
        make_room(r->m, &r->label, want, e) != 0 ||
        (width > r->label.width && widen(r, width, e) != 0) ||
        enter_run(r, sender, count, e) != 0)
        return (int)e->code;
    state_id *at = (state_id *)r->at.cell + base, *to = (state_id *)r->to.cell + base;
    for (size_t i = 0; i < count; i++) {
        at[i] = edges[i].from;
        to[i] = edges[i].to;
        set_label(&r->label, base + i, edges[i].label);
    }
    r->count = want;
    return 0;
}

/* ---- places ---------------------------------------------------------------------------- */

static int by_sender(const void *a, const void *b)
{
    const lts_share_rows_run *x = a, *y = b;
    if (x->sender != y->sender) return x->sender < y->sender ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Another rank has sent what is not of here: its file is not this one. */
static uint64_t *refuse_stranger(uint64_t *first, const lts_share_rows *r, state_id place,
                                 state_id states, err *e)
{
    mem_put(r->m, first, ((size_t)states + 1) * sizeof *first);
    err_set(e, ERR_INPUT,
            "ranks have read different files of this name: place %u is not on this rank",
            place);
    return NULL;
}

static uint64_t *count_rows(const lts_share_rows *r, state_id origin, state_id states,
                            err *e)
{
    const state_id *at = r->at.cell;
    uint64_t *first = mem_get_array(r->m, (size_t)states + 1, sizeof *first, e);
    if (first == NULL) return NULL;
    for (uint64_t i = 0; i < r->count; i++) {
        if (at[i] - origin >= states) return refuse_stranger(first, r, at[i], states, e);
        first[at[i] - origin]++;
    }
    uint64_t start = 0;
    for (state_id s = 0; s < states; s++) {
        uint64_t row = first[s];
        first[s] = start;
        start += row;
    }
    first[states] = start;
    return first;
}

/* Give every transition its place; true when all are there already. */
static bool place_all(lts_share_rows *r, state_id origin, uint64_t *next)
{
    state_id *at = r->at.cell;
    bool there = true;
    if (r->runs.count > 0)
        qsort(r->runs.at, r->runs.count, sizeof *r->runs.at, by_sender);
    for (size_t k = 0; k < r->runs.count; k++) {
        uint64_t begin = r->runs.at[k].begin, end = begin + r->runs.at[k].count;
        for (uint64_t i = begin; i < end; i++) {
            uint64_t place = next[at[i] - origin]++;
            there &= place == i;
            at[i] = (state_id)place;
        }
    }
    return there;
}

/* `next` of a state has come to where the row of the state behind it begins. */
static void restore_first(uint64_t *first, state_id states)
{
    memmove(first + 1, first, (size_t)states * sizeof *first);
    first[0] = 0;
}

/* ---- the permutation ------------------------------------------------------------------- */

typedef struct item {
    state_id at, to;
    label_id label;
} item;

static inline item take(const lts_share_rows *r, uint64_t i)
{
    return (item){ ((const state_id *)r->at.cell)[i], ((const state_id *)r->to.cell)[i],
                   label_at(&r->label, i) };
}

static inline void put(lts_share_rows *r, uint64_t i, item x)
{
    ((state_id *)r->at.cell)[i] = x.at;
    ((state_id *)r->to.cell)[i] = x.to;
    set_label(&r->label, i, x.label);
}

/* Buckets of 2^bits places: not more than heads fit a cache, not more than fit it themselves,
   as long as both can be had. */
enum { BUCKET_BITS = 15, BUCKETS = 512 };

static unsigned bucket_bits(uint64_t count)
{
    unsigned bits = BUCKET_BITS;
    while (count >> bits >= BUCKETS) bits++;
    return bits;
}

static uint64_t bucket_end(const lts_share_rows *r, uint64_t b, unsigned bits)
{
    uint64_t end = (b + 1) << bits;
    return end < r->count ? end : r->count;
}

static void fill_buckets(lts_share_rows *r, unsigned bits)
{
    uint64_t head[BUCKETS];
    for (uint64_t b = 0; b < BUCKETS; b++) head[b] = b << bits;
    for (uint64_t b = 0; b << bits < r->count; b++)
        for (uint64_t end = bucket_end(r, b, bits); head[b] < end; head[b]++) {
            item x = take(r, head[b]);
            while (x.at >> bits != b) {
                uint64_t to = head[x.at >> bits]++;
                item y = take(r, to);
                put(r, to, x);
                x = y;
            }
            put(r, head[b], x);
        }
}

static void order_bucket(lts_share_rows *r, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        item x = take(r, i);
        if (x.at == i) continue;
        while (x.at != i) {
            item y = take(r, x.at);
            put(r, x.at, x);
            x = y;
        }
        put(r, i, x);
    }
}

static void permute(lts_share_rows *r, int threads)
{
    unsigned bits = bucket_bits(r->count);
    uint64_t buckets = (r->count + (UINT64_C(1) << bits) - 1) >> bits;
    fill_buckets(r, bits);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (buckets > 1)
    for (uint64_t b = 0; b < buckets; b++)
        order_bucket(r, b << bits, bucket_end(r, b, bits));
}

/* ---- the end --------------------------------------------------------------------------- */

static void *hand_over(lts_share_column *c)
{
    void *cell = c->cell;
    c->cell = NULL;
    c->room = 0;
    return cell;
}

/* Columns of exactly the size that they have in an LTS. */
static int fit(lts_share_rows *r, unsigned width, err *e)
{
    release(r->m, &r->at);
    if (set_room(r->m, &r->to, r->count, e) != 0 ||
        set_room(r->m, &r->label, r->count, e) != 0)
        return (int)e->code;
    return r->label.width < width ? widen(r, width, e) : 0;
}

int lts_share_rows_finish(lts_share_rows *r, state_id origin, state_id states, lts *out,
                          int threads, err *e)
{
    if (r->count > UINT32_MAX)
        return err_set(
            e, ERR_LIMIT,
            "%llu transitions on one rank; expected less than 2^32 (more ranks "
            "have fewer each)",
            (unsigned long long)r->count);
    uint64_t *first = count_rows(r, origin, states, e);
    if (first == NULL) return (int)e->code;
    out->first = first;
    out->states = states;
    if (!place_all(r, origin, first)) permute(r, threads);
    restore_first(first, states);
    vec_release(r->m, &r->runs);
    out->label_bytes = label_table_width(label_table_count(out->labels));
    if (fit(r, out->label_bytes, e) != 0) return (int)e->code;
    out->transitions = r->count;
    out->target = hand_over(&r->to);
    out->label = hand_over(&r->label);
    return 0;
}
