/*
 * degree_urn - branching with a given mean, skewed, adding up exactly.
 * Idea       Above the least branching, i more transitions have the weight
 *            (i + 1) (span + 1 - i) q^i: with much room a skewed hill with a long tail, with
 *            little room a bell.  The mean grows with q, so the q for the wanted mean is
 *            found by halving.  Counts are the weights rounded at random; what rounding left
 *            over is put right by moving states one step up or down from the fullest count.
 * Invariant  Afterwards the counts add up to the states and to the transitions.
 * Cost       About 40 passes over the possible branchings per level; levels of a few states
 *            are dealt with directly, in a pass over the states.
 */
#include "vlts_bench/degree_urn.h"

#include <assert.h>
#include <string.h>

typedef unsigned __int128 wide;

enum { FEW = 8 };

int degree_urn_open(degree_urn *u, mem *m, uint32_t most, err *e)
{
    *u = (degree_urn){ .m = m, .room = most + 1 };
    u->weight = mem_get_array(m, u->room, sizeof *u->weight, e);
    if (u->weight) u->count = mem_get_array(m, u->room, sizeof *u->count, e);
    if (u->count == NULL) degree_urn_close(u);
    return (int)e->code;
}

void degree_urn_close(degree_urn *u)
{
    mem_put(u->m, u->weight, u->room * sizeof *u->weight);
    mem_put(u->m, u->count, u->room * sizeof *u->count);
    *u = (degree_urn){ .m = u->m };
}

/* Weights for q = tilt / 2^32; is their mean at most extra / states? */
static bool weigh(degree_urn *u, uint64_t tilt, uint64_t states, uint64_t extra)
{
    wide sum = 0, moment = 0;
    uint64_t power = UINT64_C(1) << 32; /* q^i */
    for (uint32_t i = 0; i <= u->span; i++) {
        u->weight[i] = (uint64_t)(i + 1) * (u->span + 1 - i) * power;
        sum += u->weight[i];
        moment += (wide)u->weight[i] * i;
        power = (uint64_t)(((wide)power * tilt) >> 32);
    }
    return moment * states <= sum * extra;
}

/* The q with the wanted mean, which is at most half the span. */
static void find_weights(degree_urn *u, uint64_t states, uint64_t extra)
{
    uint64_t low = 0, high = (UINT64_C(1) << 32) + 1;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (weigh(u, middle, states, extra)) low = middle;
        else high = middle;
    }
    weigh(u, low, states, extra);
}

/* Counts in proportion to the weights; `mirrored` counts from the top down. */
static void round_weights(degree_urn *u, uint64_t states, bool mirrored,
                          random_stream *chance)
{
    wide sum = 0;
    for (uint32_t i = 0; i <= u->span; i++) sum += u->weight[i];
    for (uint32_t i = 0; i <= u->span; i++) {
        wide x = (wide)u->weight[i] * states, rest = x % sum;
        bool up = (rest << 32) / sum > random_next(chance) >> 32;
        u->count[mirrored ? u->span - i : i] = (uint32_t)(x / sum) + up;
    }
}

/* The fullest count between two branchings, both included. */
static uint32_t fullest(const degree_urn *u, uint32_t from, uint32_t to)
{
    uint32_t best = from;
    for (uint32_t i = from + 1; i <= to; i++)
        if (u->count[i] > u->count[best]) best = i;
    return best;
}

static void correct_states(degree_urn *u, uint64_t states, uint64_t extra)
{
    uint64_t have = 0;
    for (uint32_t i = 0; i <= u->span; i++) have += u->count[i];
    if (have < states) u->count[extra / states] += (uint32_t)(states - have);
    for (; have > states; have--) u->count[fullest(u, 0, u->span)]--;
}

static void correct_extra(degree_urn *u, uint64_t extra)
{
    uint64_t have = 0;
    for (uint32_t i = 0; i <= u->span; i++) have += (uint64_t)u->count[i] * i;
    while (have != extra) {
        bool up = have < extra;
        uint32_t from = up ? fullest(u, 0, u->span - 1) : fullest(u, 1, u->span);
        uint32_t to = up ? from + 1 : from - 1, some = u->count[from] / 8 + 1;
        uint64_t off = up ? extra - have : have - extra;
        if (some > off) some = (uint32_t)off;
        u->count[from] -= some;
        u->count[to] += some;
        have = up ? have + some : have - some;
    }
}

static void fill_many(degree_urn *u, uint64_t states, uint64_t extra,
                      random_stream *chance)
{
    uint64_t most = states * u->span;
    bool mirrored = extra > most / 2;
    find_weights(u, states, mirrored ? most - extra : extra);
    round_weights(u, states, mirrored, chance);
    correct_states(u, states, extra);
    correct_extra(u, extra);
}

/* A few states: equal shares, then gifts from one to another. */
static void fill_few(degree_urn *u, uint64_t states, uint64_t extra,
                     random_stream *chance)
{
    uint64_t x[FEW] = { 0 };
    for (uint64_t i = 0; i < states; i++) x[i] = extra / states + (i < extra % states);
    for (uint64_t i = 0; i < states; i++) {
        uint64_t from = random_below(chance, states), to = random_below(chance, states);
        uint64_t most = x[from] < u->span - x[to] ? x[from] : u->span - x[to];
        uint64_t gift = random_below(chance, most / 2 + 1);
        x[from] -= gift;
        x[to] += gift;
    }
    for (uint64_t i = 0; i < states; i++) u->count[x[i]]++;
}

void degree_urn_fill(degree_urn *u, const degree_mix *mix, random_stream *chance)
{
    uint64_t states = mix->states, extra = mix->edges - mix->states * mix->least;
    u->least = mix->least;
    u->span = mix->top - mix->least;
    u->left = states;
    assert(u->span < u->room && extra <= states * u->span);
    memset(u->count, 0, ((size_t)u->span + 1) * sizeof *u->count);
    if (mix->with_top) extra -= u->span;
    states -= (uint64_t)mix->with_top + mix->with_least;
    assert(extra <= states * u->span);
    if (states > FEW) fill_many(u, states, extra, chance);
    else if (states > 0) fill_few(u, states, extra, chance);
    u->count[u->span] += mix->with_top;
    u->count[0] += mix->with_least;
}
