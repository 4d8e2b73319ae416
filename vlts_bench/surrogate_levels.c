/*
 * surrogate_levels - lay out a surrogate in breadth-first levels.
 * Idea       The sizes of the levels follow x^2 (1-x)^2 over the relative depth x: quick
 *            growth, a broad middle, a tail.  Then the dead states, the transitions and the
 *            hidden transitions of each level are fixed, each within bounds that make sure
 *            that the level can be generated from these numbers alone.
 * Invariant  Of level l, with w states of which `live` have transitions, e transitions, and
 *            w' states in the next level:
 *              w' <= e                        each state of the next level gets its parent
 *              least * live <= e <= top * live      branching stays within its bounds
 *              top <= labels * states found by then   no transition need occur twice
 *              hidden <= e - loss             each finds a target that closes no cycle
 *            The loss, where hidden transitions must lead to higher numbers: a state with x
 *            states behind it in its level has x + w' higher ones to choose from when all of
 *            the next level are found (surrogate_slots.c sees to it that they are found in
 *            time), so at most top - w' - x of its transitions cannot be hidden.  In a
 *            deterministic LTS each live state but the very last can have a hidden one.
 * Cost       Linear in the number of levels.
 */
#include "vlts_bench/surrogate_plan.h"

#include "core/vec.h"

enum { DEAD_SHARE = 64, TRIES = 3 }; /* one state in 64 is dead, from the first one on */

static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* x^2 (1-x)^2 in the middle of a level, at most 2^30; the root takes no part. */
static uint64_t shape(uint32_t level, uint32_t levels)
{
    if (level == 0) return 0;
    uint64_t x = ((2 * (uint64_t)level + 1) << 16) / (2 * (uint64_t)levels);
    uint64_t y = x * (65536 - x); /* at most 2^30 */
    return most_of(1, (y * y) >> 30);
}

/* Sizes by the shape; what exceeds the growth from one level to the next waits. */
static surrogate_fit set_states(surrogate_plan *p)
{
    uint32_t levels = p->sum.levels;
    uint64_t rest = p->sum.reachable - levels, all = 0, seen = 0, given = 0, waiting = 0;
    for (uint32_t l = 0; l < levels; l++) all += shape(l, levels);
    for (uint32_t l = 0; l < levels; l++) {
        seen += shape(l, levels);
        uint64_t upto = (uint64_t)((unsigned __int128)rest * seen / all);
        uint64_t wanted = 1 + upto - given + waiting, most = 1;
        if (l > 0) most = (uint64_t)p->level[l - 1].states * p->sum.facts.branching_max;
        given = upto;
        p->level[l] = (surrogate_level){ .states = (state_id)least_of(wanted, most) };
        waiting = wanted - p->level[l].states;
    }
    return waiting == 0 ? SURROGATE_FITS : SURROGATE_TOO_FEW;
}

/* How many states of a level can be dead: the next level still needs parents. */
static state_id dead_most(const surrogate_plan *p, uint32_t l)
{
    uint32_t max = p->sum.facts.branching_max;
    state_id parents = (surrogate_ahead(p, l) + max - 1) / max;
    return p->level[l].states > parents ? p->level[l].states - parents : 0;
}

/* Where the first deadlock is: at `depth`, or from two thirds on where one can be. */
static surrogate_fit set_deadlock_depth(surrogate_plan *p, uint64_t depth)
{
    uint32_t last = p->sum.levels - 1, l = (uint32_t)((uint64_t)p->sum.levels * 2 / 3);
    if (!p->sum.facts.deadlock) {
        p->sum.deadlock_depth = SURROGATE_NONE;
        return SURROGATE_FITS;
    }
    if (depth != SURROGATE_AUTO) {
        if (depth > last) return SURROGATE_BAD_DEPTH;
        l = (uint32_t)depth;
    }
    while (depth == SURROGATE_AUTO && l < last && dead_most(p, l) == 0) l++;
    p->sum.deadlock_depth = l;
    return dead_most(p, l) > 0 ? SURROGATE_FITS : SURROGATE_BAD_DEPTH;
}

/* One in DEAD_SHARE from the first deadlock on, and all of the last level; or, frugally,
   only those that must be. */
static void set_dead(surrogate_plan *p, bool frugal)
{
    uint32_t last = p->sum.levels - 1, first = p->sum.deadlock_depth;
    for (uint32_t l = 0; l <= last; l++) {
        state_id dead = l == first;
        if (l >= first && !frugal)
            dead += l == last ? p->level[l].states : p->level[l].states / DEAD_SHARE;
        p->level[l].dead = (state_id)least_of(dead, dead_most(p, l));
    }
}

/* The first level, from half of them on, where a transition is left for a hidden loop. */
static surrogate_fit set_livelock_depth(surrogate_plan *p)
{
    p->sum.livelock_depth = SURROGATE_NONE;
    p->free_from = STATE_NONE;
    if (!p->sum.facts.livelock) return SURROGATE_FITS;
    state_id first = 0;
    for (uint32_t l = 0; l < p->sum.levels; first += p->level[l++].states) {
        uint64_t most =
            (uint64_t)surrogate_live(&p->level[l]) * p->sum.facts.branching_max;
        if (l < p->sum.levels / 2 || most <= surrogate_ahead(p, l)) continue;
        p->sum.livelock_depth = l;
        p->free_from = first;
        return SURROGATE_FITS;
    }
    return SURROGATE_TOO_MANY;
}

/* Where the greatest branching occurs: in the widest level; and the least. */
static void set_peak(surrogate_plan *p)
{
    p->peak = 0;
    for (uint32_t l = 1; l < p->sum.levels; l++)
        if (surrogate_live(&p->level[l]) > surrogate_live(&p->level[p->peak]))
            p->peak = l;
    p->base = SURROGATE_NONE;
    if (p->sum.facts.deadlock || p->least == p->sum.facts.branching_max) return;
    p->base = surrogate_live(&p->level[p->peak]) > 1 ? p->peak : p->sum.levels - 1;
}

/* Frugal: narrow levels get a branching that lets all their transitions be hidden. */
static surrogate_fit set_tops(surrogate_plan *p, bool frugal)
{
    const manifest_facts *f = &p->sum.facts;
    uint64_t found = 1 + (uint64_t)surrogate_ahead(p, 0);
    bool narrow = frugal && f->tau_transitions > 0 && !f->deterministic;
    for (uint32_t l = 0; l < p->sum.levels; l++) {
        surrogate_level *v = &p->level[l];
        if (l > 1) found += v->states;
        uint64_t top = f->branching_max;
        if (narrow && !surrogate_is_free(p, l) && l != p->peak)
            top = least_of(top, most_of(p->least, surrogate_ahead(p, l)));
        if (!f->deterministic) top = least_of(top, p->visible * found);
        v->top = surrogate_live(v) > 0 ? (uint32_t)top : 0;
    }
    return p->level[p->peak].top == f->branching_max ? SURROGATE_FITS
                                                     : SURROGATE_TOO_MANY;
}

static surrogate_share edges_of(const surrogate_plan *p, uint32_t l)
{
    const surrogate_level *v = &p->level[l];
    uint64_t live = surrogate_live(v), ahead = surrogate_ahead(p, l);
    surrogate_share s = { live, most_of(ahead, live * p->least),
                          least_of(live * v->top, UINT32_MAX) };
    if (l == p->sum.livelock_depth) s.low = most_of(s.low, ahead + 1);
    if (l == p->peak) s.low = most_of(s.low, v->top + (live - 1) * p->least);
    if (l == p->base) s.high = least_of(s.high, p->least + (live - 1) * v->top);
    return s;
}

static void put_edges(surrogate_plan *p, uint32_t l, uint64_t n)
{
    p->level[l].edges = n;
}

/* Hidden transitions that surely find a target, see above. */
static uint64_t tau_most(const surrogate_plan *p, uint32_t l)
{
    const surrogate_level *v = &p->level[l];
    uint64_t live = surrogate_live(v), loss;
    bool last = l + 1 == p->sum.levels, is_free = surrogate_is_free(p, l);
    if (p->sum.facts.deterministic) return live - (last && !is_free && live > 0);
    if (is_free) loss = live * surrogate_short_free(p, l);
    else loss = surrogate_loss(surrogate_short_forward(p, l), v->states);
    return v->edges > loss ? v->edges - loss : 0;
}

static surrogate_share tau_of(const surrogate_plan *p, uint32_t l)
{
    const surrogate_level *v = &p->level[l];
    uint64_t weight = p->sum.facts.deterministic ? surrogate_live(v) : v->edges;
    surrogate_share s = { weight, 0, tau_most(p, l) };
    if (l == p->sum.livelock_depth) {
        s.low = 1;
        s.high = most_of(s.high, 1);
    }
    return s;
}

static void put_tau(surrogate_plan *p, uint32_t l, uint64_t n) { p->level[l].tau = n; }

static surrogate_fit fit_of(int shared)
{
    return shared == 0  ? SURROGATE_FITS
           : shared < 0 ? SURROGATE_TOO_FEW
                        : SURROGATE_TOO_MANY;
}

/* Everything but the sizes; later tries are less particular. */
static surrogate_fit fill(surrogate_plan *p, int try)
{
    set_dead(p, try == TRIES - 1);
    surrogate_fit fit = set_livelock_depth(p);
    if (fit == SURROGATE_FITS) {
        set_peak(p);
        fit = set_tops(p, try == 0);
    }
    if (fit == SURROGATE_FITS)
        fit =
            fit_of(surrogate_share_out(p, p->sum.facts.transitions, edges_of, put_edges));
    if (fit == SURROGATE_FITS)
        fit =
            fit_of(surrogate_share_out(p, p->sum.facts.tau_transitions, tau_of, put_tau));
    return fit;
}

int surrogate_levels_lay_out(surrogate_plan *p, uint64_t levels, uint64_t depth,
                             surrogate_fit *fit, err *e)
{
    *fit = SURROGATE_TOO_FEW;
    if (levels < 2) return 0;
    *fit = SURROGATE_TOO_MANY;
    if (levels > least_of(p->sum.reachable, SURROGATE_LEVELS_MAX)) return 0;
    if (vec_reserve_bytes(p->m, &p->level, &p->room_levels, levels, sizeof *p->level,
                          e) != 0)
        return (int)e->code;
    p->sum.levels = (uint32_t)levels;
    *fit = set_states(p);
    if (*fit == SURROGATE_FITS) *fit = set_deadlock_depth(p, depth);
    if (*fit != SURROGATE_FITS) return 0;
    for (int try = 0; try < TRIES; try++)
        if ((*fit = fill(p, try)) == SURROGATE_FITS) break;
    return 0;
}
