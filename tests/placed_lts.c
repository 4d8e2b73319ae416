#include "tests/placed_lts.h"

#include "core/random.h"

#include <stdlib.h>

static void allocate_like(lts *out, const lts *g, state_id states, uint64_t transitions)
{
    err e = ERR_INIT;
    *out = (lts){ .m = g->m, .states = states, .transitions = transitions };
    out->labels = g->labels;
    out->label_bytes = g->label_bytes;
    if (lts_allocate(out, &e) != 0) abort();
}

static state_id *shuffle(state_id count, uint64_t seed)
{
    random_stream r = random_open(seed, 5);
    state_id *at = calloc(count, sizeof *at);
    if (at == NULL) abort();
    for (state_id i = 0; i < count; i++) {
        state_id k = (state_id)random_below(&r, i + UINT64_C(1));
        at[i] = at[k], at[k] = i;
    }
    return at;
}

/* States go to places at random; some places are nobody's. */
static void place_states(lts *out, const lts *g, state_id places, uint64_t seed)
{
    state_id *place = shuffle(places, seed), *from = calloc(places, sizeof *from);
    uint64_t n = 0;
    allocate_like(out, g, places, g->transitions);
    out->initial = place[g->initial];
    for (state_id s = 0; s < places; s++) from[place[s]] = s;
    for (state_id x = 0; x < places; x++) {
        state_id s = from[x];
        out->first[x] = n;
        for (uint64_t t = s < g->states ? g->first[s] : 0;
             s < g->states && t < g->first[s + 1]; t++) {
            lts_set_label(out, n, lts_label(g, t));
            out->target[n++] = place[g->target[t]];
        }
    }
    out->first[places] = n;
    free(place);
    free(from);
}

static void take_rows(lts *out, const lts *whole, state_id begin, state_id end)
{
    uint64_t first = whole->first[begin];
    allocate_like(out, whole, end - begin, whole->first[end] - first);
    for (state_id s = begin; s <= end; s++)
        out->first[s - begin] = whole->first[s] - first;
    for (uint64_t t = 0; t < out->transitions; t++) {
        out->target[t] = whole->target[first + t];
        lts_set_label(out, t, lts_label(whole, first + t));
    }
}

placed_lts placed_lts_of(const lts *g, uint32_t ranks, uint64_t seed)
{
    placed_lts p = { .ranks = ranks };
    state_id range = (g->states + ranks - 1) / ranks + (state_id)(seed % 3);
    place_states(&p.whole, g, range * ranks, seed);
    for (uint32_t r = 0; r < ranks; r++)
        take_rows(&p.rank[r], &p.whole, r * range, (r + 1) * range);
    return p;
}

static void close_borrowing(lts *g)
{
    g->labels = NULL;
    lts_close(g);
}

bool placed_lts_close(placed_lts *p)
{
    uint64_t t = 0;
    bool same = true;
    for (uint32_t r = 0; r < p->ranks; r++) {
        for (uint64_t i = 0; i < p->rank[r].transitions; i++)
            same &= p->rank[r].target[i] == p->whole.target[t++];
        close_borrowing(&p->rank[r]);
    }
    close_borrowing(&p->whole);
    return same;
}
