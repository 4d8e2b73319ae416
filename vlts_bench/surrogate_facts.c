/*
 * surrogate_facts - which numbers a surrogate has: the row's, scaled and made consistent.
 * Idea   Numbers of states, transitions and hidden transitions are multiplied by the scale
 *        and rounded; labels, branching and the three answers stay.  Then each number moves
 *        by as little as makes room for the others, in an order that is documented in
 *        docs/SURROGATES.md.  At a scale of 1 nothing moves.
 */
#include "vlts_bench/surrogate_plan.h"

#include <inttypes.h>

typedef unsigned __int128 wide;

enum { UNREACHABLE_BRANCHING = 4 }; /* of the reachable part, when there is another */

static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t scaled(uint64_t count, uint64_t scale)
{
    wide x = ((wide)count * scale + SURROGATE_SCALE_ONE / 2) / SURROGATE_SCALE_ONE;
    return x > UINT64_MAX ? UINT64_MAX : (uint64_t)x;
}

/* One state has branching_min transitions; the mean of the others, rounded up. */
static uint64_t others(const surrogate_plan *p) { return (uint64_t)p->sum.reachable - 1; }

static uint32_t mean_up(const surrogate_plan *p)
{
    uint64_t edges = p->sum.facts.transitions - p->sum.facts.branching_min;
    return (uint32_t)((edges + others(p) - 1) / others(p));
}

static void settle_transitions(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    uint64_t low = others(p) * most_of(1, f->branching_min) + f->branching_min;
    uint64_t high = others(p) * f->branching_max + f->branching_min;
    f->transitions = clamp(f->transitions, low, high);
}

static void settle_branching(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    p->least = f->branching_min > 0 ? f->branching_min : 1;
    uint64_t high = f->transitions - others(p) * f->branching_min;
    f->branching_max =
        (uint32_t)clamp(f->branching_max, mean_up(p), most_of(high, mean_up(p)));
}

/* Two equal labels at one state want three transitions, unless nothing is hidden. */
static bool can_be_nondeterministic(const manifest_facts *f)
{
    return f->branching_max >= 3 ||
           (f->branching_max == 2 && f->tau_transitions == 0 && f->transitions >= 2);
}

static void settle_tau(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    uint64_t most = f->transitions - 1; /* one is the mark */
    if (f->deterministic) most = least_of(most, others(p));
    f->tau_transitions = least_of(f->tau_transitions, most);
    if (f->tau_transitions == 0) f->livelock = false;
}

static void settle_labels(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    uint64_t seen = f->transitions - f->tau_transitions;
    uint64_t most = f->deterministic ? seen : most_of(1, seen / 2);
    p->visible = (uint32_t)clamp(p->wanted, 1, most);
    f->labels = p->visible + (f->tau_transitions > 0);
    if (f->deterministic && f->branching_max > p->visible) {
        f->branching_max = p->visible;
        if (f->branching_min > p->visible) f->branching_min = p->visible;
    }
}

/* All rules in their order, twice: the later ones may narrow the earlier ones. */
static void settle(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    for (int round = 0; round < 2; round++) {
        settle_transitions(p);
        settle_branching(p);
        if (!can_be_nondeterministic(f)) f->deterministic = true;
        settle_tau(p);
        settle_labels(p);
    }
}

int surrogate_facts_scale(surrogate_plan *p, const manifest_row *row, err *e)
{
    manifest_facts *f = &p->sum.facts;
    *f = row->facts;
    f->states = most_of(2, scaled(row->facts.states, p->sum.scale));
    f->transitions = most_of(1, scaled(row->facts.transitions, p->sum.scale));
    f->tau_transitions = scaled(row->facts.tau_transitions, p->sum.scale);
    if (f->states > STATES_MAX)
        return err_set(e, ERR_USAGE,
                       "--scale: %s would have %" PRIu64
                       " states; expected at most 2^32 - 2",
                       row->name, f->states);
    if (row->facts.tau_transitions > 0 && f->tau_transitions == 0) f->tau_transitions = 1;
    p->wanted = row->facts.labels - (row->facts.tau_transitions > 0);
    p->sum.reachable = (state_id)f->states;
    if (row->facts.transitions + 1 < row->facts.states)
        p->sum.reachable =
            (state_id)clamp(f->transitions / UNREACHABLE_BRANCHING, 2, f->states);
    settle(p);
    return 0;
}

/* Half the way from a number to where it is easy. */
static uint64_t half_way(uint64_t from, uint64_t to) { return to + (from - to) / 2; }

bool surrogate_facts_relax(surrogate_plan *p)
{
    manifest_facts *f = &p->sum.facts;
    uint32_t easy = mean_up(p) + 1;
    if (f->branching_max > easy)
        f->branching_max = (uint32_t)half_way(f->branching_max, easy);
    else if (f->tau_transitions > f->livelock)
        f->tau_transitions -= f->tau_transitions / 4 + 1;
    else if (f->livelock) f->livelock = false;
    else if (!f->deterministic) f->deterministic = true;
    else return false;
    settle(p);
    return true;
}

/* The greatest x with x^power <= n, for power 2 and 3. */
static uint64_t root(uint64_t n, int power)
{
    uint64_t x = 0;
    for (uint64_t bit = UINT64_C(1) << (power == 2 ? 31 : 21); bit > 0; bit >>= 1) {
        wide y = x | bit, z = power == 2 ? y * y : y * y * y;
        if (z <= n) x |= bit;
    }
    return x;
}

/* 4 n^(1/3) / sqrt(m / n), rounded: fitted to real instances, docs/SURROGATES.md. */
uint64_t surrogate_facts_levels(const surrogate_plan *p)
{
    uint64_t n = p->sum.reachable, m = p->sum.facts.transitions;
    wide c = root(n << 30, 3); /* 2^10 n^(1/3) */
    wide twice_squared = (64 * c * c * n / m) >> 20;
    uint64_t levels = (root((uint64_t)twice_squared, 2) + 1) / 2;
    return clamp(levels, 2, least_of(n, SURROGATE_LEVELS_MAX));
}
