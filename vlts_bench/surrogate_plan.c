/*
 * surrogate_plan - from a row and wishes to a plan, or to a sentence about what is possible.
 * Idea   Scale the facts; lay them out in the documented number of levels; when that does
 *        not fit, find the nearest number that does by halving (a chain needs as many levels
 *        as states).  Scaled facts, and only those, are relaxed until something fits.
 *        Wishes are tried last and never change the facts.
 */
#include "vlts_bench/surrogate_plan.h"

#include <assert.h>
#include <inttypes.h>

static uint64_t levels_most(const surrogate_plan *p)
{
    return p->sum.reachable < SURROGATE_LEVELS_MAX ? p->sum.reachable
                                                   : SURROGATE_LEVELS_MAX;
}

/*
 * The number of levels nearest to `start` that fits, 0 = none.  `start` itself did not, as
 * `fit` says; too few and too many are each on one side of what fits.
 */
static int nearest_fit(surrogate_plan *p, uint64_t start, surrogate_fit fit,
                       uint64_t *nearest, err *e)
{
    bool upward = fit == SURROGATE_TOO_FEW;
    uint64_t low = upward ? start : 1, high = upward ? levels_most(p) + 1 : start;
    *nearest = 0;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (surrogate_levels_lay_out(p, middle, SURROGATE_AUTO, &fit, e) != 0)
            return (int)e->code;
        if (fit == SURROGATE_FITS) *nearest = middle;
        if (fit == SURROGATE_TOO_MANY || (fit == SURROGATE_FITS && upward)) high = middle;
        else low = middle;
    }
    return 0;
}

/* The documented number of levels, or the nearest that fits; the first is tried always. */
static int lay_out_default(surrogate_plan *p, surrogate_fit *fit, err *e)
{
    uint64_t start = surrogate_facts_levels(p), nearest;
    if (surrogate_levels_lay_out(p, start, SURROGATE_AUTO, fit, e) != 0 ||
        *fit == SURROGATE_FITS)
        return (int)e->code;
    if (nearest_fit(p, start, *fit, &nearest, e) != 0) return (int)e->code;
    if (nearest == 0) return 0;
    return surrogate_levels_lay_out(p, nearest, SURROGATE_AUTO, fit, e);
}

static int lay_out_facts(surrogate_plan *p, err *e)
{
    surrogate_fit fit;
    do {
        if (lay_out_default(p, &fit, e) != 0 || fit == SURROGATE_FITS)
            return (int)e->code;
    } while (p->sum.scale != SURROGATE_SCALE_ONE && surrogate_facts_relax(p));
    return err_set(e, ERR_USAGE,
                   "--scale: %s cannot be made this small: %" PRIu64 " states",
                   p->sum.name, p->sum.facts.states);
}

static int refuse_levels(surrogate_plan *p, uint64_t levels, surrogate_fit fit, err *e)
{
    uint64_t nearest;
    if (nearest_fit(p, levels > levels_most(p) ? levels_most(p) + 1 : levels, fit,
                    &nearest, e) != 0)
        return (int)e->code;
    return err_set(e, ERR_USAGE,
                   "--levels: %" PRIu64 " are too %s for %u states and %" PRIu64
                   " transitions, at most %u of a state; expected at %s %" PRIu64,
                   levels, fit == SURROGATE_TOO_FEW ? "few" : "many", p->sum.reachable,
                   p->sum.facts.transitions, p->sum.facts.branching_max,
                   fit == SURROGATE_TOO_FEW ? "least" : "most", nearest);
}

static int refuse_depth(surrogate_plan *p, uint64_t levels, uint64_t depth, err *e)
{
    surrogate_fit fit = SURROGATE_BAD_DEPTH;
    uint64_t first = 0;
    while (fit == SURROGATE_BAD_DEPTH && first + 1 < levels)
        if (surrogate_levels_lay_out(p, levels, ++first, &fit, e) != 0)
            return (int)e->code;
    return err_set(e, ERR_USAGE,
                   "--deadlock-depth: no deadlock can be at %" PRIu64 " in %" PRIu64
                   " levels; expected %" PRIu64 " to %" PRIu64,
                   depth, levels, first, levels - 1);
}

static int lay_out_wishes(surrogate_plan *p, const surrogate_options *o, err *e)
{
    if (o->levels == SURROGATE_AUTO && o->deadlock_depth == SURROGATE_AUTO) return 0;
    if (o->deadlock_depth != SURROGATE_AUTO && !p->sum.facts.deadlock)
        return err_set(e, ERR_USAGE, "--deadlock-depth: %s has no deadlock", p->sum.name);
    uint64_t levels = o->levels == SURROGATE_AUTO ? p->sum.levels : o->levels;
    surrogate_fit fit, other;
    if (surrogate_levels_lay_out(p, levels, SURROGATE_AUTO, &fit, e) != 0)
        return (int)e->code;
    if (fit != SURROGATE_FITS) return refuse_levels(p, levels, fit, e);
    if (surrogate_levels_lay_out(p, levels, o->deadlock_depth, &other, e) != 0)
        return (int)e->code;
    return other == SURROGATE_FITS ? 0 : refuse_depth(p, levels, o->deadlock_depth, e);
}

int surrogate_plan_open(surrogate_plan **out, mem *m, const manifest_row *row,
                        const surrogate_options *o, err *e)
{
    assert(o->scale > 0);
    surrogate_plan *p = mem_get(m, sizeof *p, e);
    if (p == NULL) return (int)e->code;
    p->m = m;
    p->sum = (surrogate_summary){ .name = row->name, .scale = o->scale, .seed = o->seed };
    if (surrogate_facts_scale(p, row, e) == 0 && lay_out_facts(p, e) == 0 &&
        lay_out_wishes(p, o, e) == 0) {
        *out = p;
        return 0;
    }
    surrogate_plan_close(p);
    return (int)e->code;
}

void surrogate_plan_close(surrogate_plan *p)
{
    if (p == NULL) return;
    mem *m = p->m;
    mem_put(m, p->level, p->room_levels * sizeof *p->level);
    mem_put(m, p, sizeof *p);
}

const surrogate_summary *surrogate_plan_summary(const surrogate_plan *p)
{
    return &p->sum;
}
