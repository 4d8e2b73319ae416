/*
 * surrogate_share - divide a total over the levels, in proportion, within bounds.
 * Idea       Every level gets rate * weight, moved into its bounds.  The sum grows with the
 *            rate, so the right one is found by halving; between it and the next rate the
 *            levels are raised one after the other until the sum is exact.
 * Invariant  sum at `low` <= total < sum at `low + 1`, or all are at their upper bounds.
 * Cost       About forty passes over the levels.
 */
#include "vlts_bench/surrogate_plan.h"

typedef unsigned __int128 wide;

enum { RATE_BITS = 24 };

static uint64_t portion(surrogate_share s, uint64_t rate)
{
    wide x = ((wide)s.weight * rate) >> RATE_BITS;
    return x < s.low ? s.low : x > s.high ? s.high : (uint64_t)x;
}

static wide sum_at(const surrogate_plan *p, surrogate_share_of *of, uint64_t rate)
{
    wide sum = 0;
    for (uint32_t l = 0; l < p->sum.levels; l++) sum += portion(of(p, l), rate);
    return sum;
}

/* -1: even the lower bounds are too much; 1: the upper ones too little, or crossed. */
static int check_bounds(const surrogate_plan *p, uint64_t total, surrogate_share_of *of)
{
    wide low = 0, high = 0;
    bool crossed = false;
    for (uint32_t l = 0; l < p->sum.levels; l++) {
        surrogate_share s = of(p, l);
        low += s.low;
        high += s.high;
        crossed |= s.low > s.high;
    }
    return crossed || low > total ? -1 : high < total ? 1 : 0;
}

/* 0 when shared out; otherwise see check_bounds, and nothing was put. */
int surrogate_share_out(surrogate_plan *p, uint64_t total, surrogate_share_of *of,
                        surrogate_share_put *put)
{
    int wrong = check_bounds(p, total, of);
    if (wrong != 0) return wrong;
    uint64_t low = 0, high = UINT64_C(1) << 40; /* weights are below 2^16 of a bound */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (sum_at(p, of, middle) <= total) low = middle;
        else high = middle;
    }
    uint64_t rest = total - (uint64_t)sum_at(p, of, low);
    for (uint32_t l = 0; l < p->sum.levels; l++) {
        surrogate_share s = of(p, l);
        uint64_t x = portion(s, low), more = portion(s, low + 1) - x;
        if (more > rest) more = rest;
        rest -= more;
        put(p, l, x + more);
    }
    return 0;
}
