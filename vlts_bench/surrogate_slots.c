/*
 * surrogate_slots - hand out a level's transitions so that every number comes out exactly.
 * Idea       Selection sampling: with k of n transitions still to be of a kind, the next one
 *            is with probability k / n; after n of them it is exactly k.  Where a choice is
 *            not free, it is moved into the range that keeps the rest possible.
 * Invariant  trees <= edges: the rest can still find all of the next level.
 *            tau <= edges - loss(states to come): the rest can still hide as many.  The loss
 *            is what surrogate_levels.c allowed for.  To keep to it, a state whose hidden
 *            transitions must lead to higher numbers finds as many new states as it would
 *            otherwise be short of, as long as there are any.
 *            For a deterministic LTS: tau <= states to come that can have one.
 * Cost       Two random words per transition.
 */
#include "vlts_bench/surrogate_slots.h"

#include "core/hash.h"

#include <assert.h>
#include <string.h>

static bool deterministic(const surrogate_slots *x)
{
    return x->plan->sum.facts.deterministic;
}

int surrogate_slots_open(surrogate_slots *x, const surrogate_plan *p, err *e)
{
    *x = (surrogate_slots){ .plan = p };
    uint32_t most = p->sum.facts.branching_max;
    x->slot = mem_get(p->m, most, e);
    if (x->slot && degree_urn_open(&x->urn, p->m, most, e) == 0) return 0;
    surrogate_slots_close(x);
    return (int)e->code;
}

void surrogate_slots_close(surrogate_slots *x)
{
    if (x->plan == NULL) return;
    mem_put(x->plan->m, x->slot, x->plan->sum.facts.branching_max);
    if (x->urn.m) degree_urn_close(&x->urn);
    *x = (surrogate_slots){ .plan = NULL };
}

static void fill_urn(surrogate_slots *x, const surrogate_level *v)
{
    const surrogate_plan *p = x->plan;
    degree_mix mix = { .states = surrogate_live(v),
                       .edges = v->edges,
                       .least = p->least,
                       .top = v->top,
                       .with_top = x->level == p->peak,
                       .with_least = x->level == p->base };
    if (mix.states > 0) degree_urn_fill(&x->urn, &mix, &x->chance);
}

/* Each level has a stream of its own: it depends on nothing but the plan. */
static random_stream stream_of(const surrogate_plan *p, uint32_t level)
{
    uint64_t name = hash_file(p->sum.name, strlen(p->sum.name));
    return random_open(p->sum.seed ^ name, level);
}

void surrogate_slots_enter(surrogate_slots *x, uint32_t level)
{
    const surrogate_plan *p = x->plan;
    const surrogate_level *v = &p->level[level];
    assert(x->edges == 0 && x->trees == 0 && x->tau == 0 && !x->loop && !x->pair);
    x->level = level;
    x->first = x->end;
    x->end = x->first + v->states;
    if (level == 0) x->next = 1;
    assert(x->next == x->end);
    x->live = surrogate_live(v);
    x->dead = v->dead;
    x->edges = v->edges;
    x->trees = surrogate_ahead(p, level);
    x->loop = level == p->sum.livelock_depth;
    x->tau = v->tau - x->loop;
    x->pair = level == p->peak && !deterministic(x);
    x->forward = !surrogate_is_free(p, level);
    x->short_by =
        x->forward ? surrogate_short_forward(p, level) : surrogate_short_free(p, level);
    x->chance = stream_of(p, level);
    fill_urn(x, v);
}

static uint32_t draw_degree(surrogate_slots *x)
{
    if (x->dead > 0 && random_below(&x->chance, (uint64_t)x->live + x->dead) < x->dead) {
        x->dead--;
        return 0;
    }
    x->live--;
    return degree_urn_draw(&x->urn, &x->chance);
}

/* New states that `s` must find lest its hidden transitions be short of targets. */
static uint64_t trees_needed(const surrogate_slots *x, state_id s, uint32_t degree)
{
    if (!x->forward || x->tau == 0) return 0;
    uint64_t higher = (uint64_t)(x->next - s) - 1;
    return degree > higher ? degree - higher : 0;
}

/* Parents come early in a level, as in real ones: a quarter more than their share. */
static uint32_t mark_trees(surrogate_slots *x, state_id s, uint32_t degree)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < degree; j++) {
        uint64_t left = x->trees - count;
        bool tree = random_below(&x->chance, x->edges - j) < left + left / 4;
        x->slot[j] = tree ? SLOT_TREE : 0;
        count += tree;
    }
    uint64_t needed = trees_needed(x, s, degree);
    for (uint32_t j = 0; count < needed && count < x->trees; j++) {
        count += !(x->slot[j] & SLOT_TREE);
        x->slot[j] |= SLOT_TREE;
    }
    return count;
}

/* The first transition of the level that finds nothing new becomes the loop. */
static bool mark_loop(surrogate_slots *x, uint32_t degree, uint32_t trees)
{
    if (!x->loop || trees == degree) return false;
    uint32_t j = 0;
    while (x->slot[j] & SLOT_TREE) j++;
    x->slot[j] = SLOT_LOOP | SLOT_TAU;
    x->loop = false;
    return true;
}

typedef struct range {
    uint64_t low, high;
} range;

/* What the states behind `s` can hide for sure, once `s` has its transitions. */
static uint64_t tau_behind(const surrogate_slots *x, state_id s, uint32_t degree)
{
    uint64_t room, loss;
    if (deterministic(x)) {
        room = x->live;
        loss = x->forward && x->level + 1 == x->plan->sum.levels;
    } else {
        room = x->edges - degree;
        loss = x->forward ? surrogate_loss(x->short_by, x->end - 1 - s)
                          : x->live * x->short_by;
    }
    loss += x->loop;
    return room > loss ? room - loss : 0;
}

/* How many transitions of `s`, beside a loop, are to be hidden for all to come out right. */
static range tau_range(const surrogate_slots *x, state_id s, uint32_t degree,
                       uint32_t trees, bool loop)
{
    uint64_t behind = tau_behind(x, s, degree), most = degree - loop;
    uint64_t targets =
        (uint64_t)x->next + trees - (x->forward ? s : x->plan->free_from) - 1;
    if (most > targets) most = targets;
    if (deterministic(x) && most > 0) most = !loop;
    range r = { x->tau > behind ? x->tau - behind : 0, x->tau < most ? x->tau : most };
    assert(r.low <= r.high);
    return r;
}

/* Sample which of the slots that are no loop are hidden.  Without branches: they would be
   guessed wrong half of the time. */
static uint32_t sample_tau(surrogate_slots *x, uint32_t degree)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < degree; j++) {
        bool tau = random_below(&x->chance, x->edges - j) < x->tau - count;
        tau &= !(x->slot[j] & SLOT_LOOP);
        x->slot[j] |= (uint8_t)(tau ? SLOT_TAU : 0);
        count += tau;
    }
    return count;
}

/* Make `have` hidden slots `want` ones. */
static void adjust_tau(surrogate_slots *x, uint64_t have, uint64_t want)
{
    for (uint32_t j = 0; have != want; j++) {
        if (x->slot[j] & SLOT_LOOP) continue;
        bool hidden = x->slot[j] & SLOT_TAU;
        if (hidden && have > want) {
            x->slot[j] &= (uint8_t)~SLOT_TAU;
            have--;
        } else if (!hidden && have < want) {
            x->slot[j] |= SLOT_TAU;
            have++;
        }
    }
}

/* Two transitions of the state have one label: two hidden ones, or two visible ones that
   shall.  At the latest the state with the most transitions, three or more, can have them. */
static void make_pair(surrogate_slots *x, uint32_t degree, uint64_t hidden)
{
    if (!x->pair) return;
    x->repeat = hidden < 2 && degree - hidden >= 2;
    x->pair = hidden < 2 && !x->repeat;
}

static uint64_t clamp(uint64_t n, range r)
{
    return n < r.low ? r.low : n > r.high ? r.high : n;
}

static uint64_t mark_tau(surrogate_slots *x, state_id s, uint32_t degree, uint32_t trees,
                         bool loop)
{
    uint32_t have = sample_tau(x, degree);
    uint64_t want = clamp(have, tau_range(x, s, degree, trees, loop));
    adjust_tau(x, have, want);
    make_pair(x, degree, want + loop);
    return want;
}

/*
 * A deterministic state has one hidden transition or none.  Those with as many transitions
 * as there are visible labels come first: otherwise they would have to carry the mark.
 */
static uint64_t mark_one_tau(surrogate_slots *x, state_id s, uint32_t degree,
                             uint32_t trees, bool loop)
{
    uint64_t full = degree_urn_left(&x->urn, x->plan->visible), have;
    if (degree == x->plan->visible) have = x->tau > 0;
    else
        have = random_below(&x->chance, x->live + 1 - full) <
               (x->tau > full ? x->tau - full : 0);
    uint64_t want = clamp(have, tau_range(x, s, degree, trees, loop));
    if (want == 1) x->slot[random_below(&x->chance, degree)] |= SLOT_TAU;
    return want;
}

uint32_t surrogate_slots_draw(surrogate_slots *x, state_id s)
{
    uint32_t degree = draw_degree(x);
    x->repeat = false;
    if (degree == 0) return 0;
    uint32_t trees = mark_trees(x, s, degree);
    bool loop = mark_loop(x, degree, trees);
    uint64_t hidden = 0;
    if (deterministic(x)) {
        if (x->tau > 0) hidden = mark_one_tau(x, s, degree, trees, loop);
    } else if (x->tau > 0 || x->pair) {
        hidden = mark_tau(x, s, degree, trees, loop);
    }
    x->edges -= degree;
    x->trees -= trees;
    x->tau -= hidden;
    return degree;
}
