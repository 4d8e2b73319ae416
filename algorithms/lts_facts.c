/*
 * lts_facts - three passes over an LTS: its rows, a search, and a peeling of tau.
 *
 * Idea       Rows: counts and determinism, state by state in memory order.  Search: what is
 *            reachable.  Peeling: a reachable tau cycle exists exactly when repeatedly
 *            removing reachable states that no remaining tau transition enters does not
 *            remove them all (Kahn's topological sort on the tau transitions).
 * Invariant  Of the peeling: entering[s] is the number of tau transitions into s from
 *            reachable states that are not yet removed; removed states are a prefix of
 *            the queue and no tau cycle passes through them.
 * Cost       Linear; determinism stops at the first counterexample.
 * Source     A. B. Kahn, Communications of the ACM 5 (1962), 558-562.
 */
#include "algorithms/lts_facts.h"

#include "algorithms/search.h"

#include <string.h>

enum { FAR = 16, NEAR = 8 }; /* how far ahead of the queue memory is fetched */

/* The last target seen under a label, and the state it was seen from, plus one. */
typedef struct witness {
    state_id from_plus_1, to;
} witness;

static bool is_deterministic_at(const lts *g, state_id s, witness *last)
{
    for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++) {
        witness *w = &last[lts_label(g, t)];
        if (w->from_plus_1 == s + 1 && w->to != g->target[t]) return false;
        *w = (witness){ s + 1, g->target[t] };
    }
    return true;
}

static int find_determinism(lts_facts *f, const lts *g, err *e)
{
    size_t labels = label_table_count(g->labels);
    witness *last = mem_get_array(g->m, labels, sizeof *last, e);
    if (last == NULL) return (int)e->code;
    f->deterministic = true;
    for (state_id s = 0; s < g->states && f->deterministic; s++)
        f->deterministic = is_deterministic_at(g, s, last);
    mem_put(g->m, last, labels * sizeof *last);
    return 0;
}

static void count_rows(lts_facts *f, const lts *g)
{
    f->branching_min = g->states ? UINT64_MAX : 0;
    for (state_id s = 0; s < g->states; s++) {
        uint64_t degree = g->first[s + 1] - g->first[s];
        if (degree < f->branching_min) f->branching_min = degree;
        if (degree > f->branching_max) f->branching_max = degree;
        f->deadlock_states += degree == 0;
    }
    f->branching_average = g->states ? (double)g->transitions / (double)g->states : 0;
}

static void count_tau(lts_facts *f, const lts *g)
{
    label_id tau = label_table_hidden(g->labels);
    if (tau == LABEL_NONE) return;
    for (uint64_t t = 0; t < g->transitions; t++)
        f->tau_transitions += lts_label(g, t) == tau;
}

static void count_reached(lts_facts *f, const lts *g, const search *s)
{
    f->levels = s->levels;
    f->unreachable_states = g->states - s->reached;
    for (state_id q = 0; q < g->states; q++)
        f->deadlock_states_reachable += s->seen[q] && g->first[q] == g->first[q + 1];
}

/* Beyond this nobody counts, and the state is kept: then a tau cycle may be reported where
   there is none, but only with four thousand million tau transitions into one state. */
#define TOO_MANY UINT32_MAX

static bool is_last(uint32_t *entering)
{
    return *entering < TOO_MANY && --*entering == 0;
}

static void count_entering(uint32_t *entering, const lts *g, const search *s,
                           label_id tau)
{
    for (state_id q = 0; q < g->states; q++) {
        if (!s->seen[q]) continue;
        for (uint64_t t = g->first[q]; t < g->first[q + 1]; t++)
            if (lts_label(g, t) == tau && entering[g->target[t]] < TOO_MANY)
                entering[g->target[t]]++;
    }
}

/* Remove what nothing enters; the queue reuses the memory of the search order. */
static state_id peel(uint32_t *entering, const lts *g, search *s, label_id tau)
{
    state_id head = 0, tail = 0;
    for (state_id q = 0; q < g->states; q++)
        if (s->seen[q] && entering[q] == 0) s->order[tail++] = q;
    while (head < tail) {
        if (tail - head > FAR) __builtin_prefetch(&g->first[s->order[head + FAR]]);
        if (tail - head > NEAR)
            __builtin_prefetch(&g->target[g->first[s->order[head + NEAR]]]);
        state_id q = s->order[head++];
        for (uint64_t t = g->first[q]; t < g->first[q + 1]; t++)
            if (lts_label(g, t) == tau && is_last(&entering[g->target[t]]))
                s->order[tail++] = g->target[t];
    }
    return tail;
}

static int find_livelock(lts_facts *f, const lts *g, search *s, err *e)
{
    label_id tau = label_table_hidden(g->labels);
    if (tau == LABEL_NONE) return 0;
    uint32_t *entering = mem_get_array(g->m, g->states, sizeof *entering, e);
    if (entering == NULL) return (int)e->code;
    count_entering(entering, g, s, tau);
    f->livelock = peel(entering, g, s, tau) < s->reached;
    mem_put(g->m, entering, (size_t)g->states * sizeof *entering);
    return 0;
}

int lts_facts_compute(lts_facts *out, const lts *g, progress *clock, err *e)
{
    memset(out, 0, sizeof *out);
    search s;
    count_rows(out, g);
    count_tau(out, g);
    if (find_determinism(out, g, e) != 0) return (int)e->code;
    progress_begin(clock, "searching", "states", g->states);
    int found = search_run(&s, g, clock, e);
    progress_end(clock);
    if (found != 0) return found;
    count_reached(out, g, &s);
    find_livelock(out, g, &s, e);
    search_close(&s);
    return (int)e->code;
}
