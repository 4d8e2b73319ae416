/*
 * distribution - a permutation of 0 .. n-1 that is computed, forward and back.
 *
 * Idea       The bits of a number are cut in two; three times one half is changed by a hash of the
 *            other one.  Each change undoes itself, so this is a permutation of all numbers with
 *            as many bits.  Where it leads out of 0 .. n-1 it is applied again: walking on along a
 *            cycle that began inside, one comes back inside.
 * Invariant  distribution_gather(distribution_scatter(i)) = i, for every i below d->items.
 * Cost       Less than two walks on average, for less than half of the numbers are outside.
 */
#include "core/distribution.h"

#include "core/suggest.h"

#include <assert.h>
#include <string.h>

#define DISTRIBUTION_NAME(id, name, doc) [DISTRIBUTION_##id] = name,
static const char *const names[] = { DISTRIBUTION_KINDS(DISTRIBUTION_NAME) };
#define DISTRIBUTION_DOC(id, name, doc) [DISTRIBUTION_##id] = doc,
static const char *const docs[] = { DISTRIBUTION_KINDS(DISTRIBUTION_DOC) };

const char *distribution_name(distribution_kind kind) { return names[kind]; }
const char *distribution_doc(distribution_kind kind) { return docs[kind]; }

int distribution_find(distribution_kind *out, const char *name, err *e)
{
    for (size_t k = 0; k < COUNT_OF(names); k++)
        if (strcmp(names[k], name) == 0) return *out = (distribution_kind)k, 0;
    suggest near = SUGGEST_INIT(name);
    for (size_t k = 0; k < COUNT_OF(names); k++) suggest_consider(&near, names[k]);
    return suggest_refuse(&near, "no distribution", "expected hash, block or locality",
                          e);
}

/* ---- the permutation ------------------------------------------------------------------- */

/* The upper half decides about the rank, so it is changed first and last. */
enum { TURNS = 3 };

/* What a half is changed by.  One product alone would keep differences: then states at some distances
   would stay together.  The constants are those of the golden ratio and of MurmurHash3. */
static inline uint32_t mixed(uint32_t half, uint32_t turn)
{
    uint64_t x =
        (half + 1 + turn * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 32) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(x >> 32);
}

static inline uint32_t turned(const distribution *d, uint32_t x, uint32_t turn)
{
    uint32_t low = x & d->low_mask, high = x >> d->low;
    if (turn % 2 != 0) low ^= mixed(high, turn) & d->low_mask;
    else high ^= mixed(low, turn) & d->high_mask;
    return high << d->low | low;
}

state_id distribution_scatter(const distribution *d, state_id item)
{
    do
        for (uint32_t turn = 0; turn < TURNS; turn++) item = turned(d, item, turn);
    while (item >= d->items);
    return item;
}

state_id distribution_gather(const distribution *d, state_id item)
{
    do
        for (uint32_t turn = TURNS; turn-- > 0;) item = turned(d, item, turn);
    while (item >= d->items);
    return item;
}

static void cut_bits(distribution *d)
{
    unsigned bits = d->items > 1 ? 32 - (unsigned)__builtin_clz(d->items - 1) : 0;
    d->low = (bits + 1) / 2;
    d->low_mask = (1u << d->low) - 1;
    d->high_mask = (1u << (bits - d->low)) - 1;
}

/* ---- ranges and units ------------------------------------------------------------------ */

/* Chunks as long as possible, up to 1024, while each worker still gets some dozens of them. */
static unsigned chunk_shift(uint64_t workers, state_id states)
{
    unsigned shift = 0;
    while (shift < 10 && (states >> (shift + 1)) / workers >= 64) shift++;
    return shift;
}

static state_id shares_of(uint64_t whole, uint32_t count)
{
    uint64_t share = (whole + count - 1) / count;
    return share > 0 ? (state_id)share : 1;
}

/* Numbers whose status bytes are one cache line: threads never write to the same one. */
enum { LINE = 64 };

static state_id unit_of(const distribution *d)
{
    if (d->kind == DISTRIBUTION_HASH) return d->ranks > 1 ? LINE : 1;
    return d->kind == DISTRIBUTION_BLOCK ? shares_of(d->range, d->threads)
                                         : 1u << d->shift;
}

distribution distribution_of(distribution_kind kind, uint32_t ranks, uint32_t threads,
                             state_id states)
{
    assert(ranks > 0 && threads > 0);
    distribution d = {
        .kind = kind, .ranks = ranks, .threads = threads, .states = states
    };
    if (kind == DISTRIBUTION_LOCALITY)
        d.shift = chunk_shift((uint64_t)ranks * threads, states);
    uint64_t chunks = ((uint64_t)states + (1u << d.shift) - 1) >> d.shift;
    uint64_t range = (uint64_t)shares_of(chunks, ranks) << d.shift;
    d.range = ranks == 1 ? shares_of(states, 1) : (state_id)range;
    if (ranks > 1 && kind != DISTRIBUTION_BLOCK) d.items = states >> d.shift;
    cut_bits(&d);
    d.unit = unit_of(&d);
    d.range_inverse = graph_part_inverse(d.range);
    d.unit_inverse = graph_part_inverse(d.unit);
    d.threads_inverse = graph_part_inverse(threads);
    return d;
}

uint64_t distribution_cross_edges(const distribution *d, const lts *g)
{
    uint64_t cross = 0;
    if ((uint64_t)d->ranks * d->threads == 1) return 0;
    for (state_id s = 0; s < g->states; s++) {
        worker_id owner = distribution_owner(d, distribution_place(d, s));
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            cross += distribution_owner(d, distribution_place(d, g->target[t])) != owner;
    }
    return cross;
}
