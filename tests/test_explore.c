#include "algorithms/explore.h"

#include "tests/naive_lts.h"
#include "tests/sample_lts.h"
#include "tests/wide_model.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the definition, by looking at all transitions each time --------------------------------- */

/* What an exploration must give: states in the order of meeting, transitions as a set. */
typedef struct expected {
    naive_lts g;
    uint64_t *order; /* old numbers */
    uint64_t deadlocks;
    uint32_t depth;
} expected;

static uint64_t number_of(expected *x, uint64_t state)
{
    for (uint64_t i = 0; i < x->g.states; i++)
        if (x->order[i] == state) return i;
    x->order[x->g.states] = state;
    return x->g.states++;
}

static bool has_edge(const naive_lts *n, uint64_t from, size_t label, uint64_t to)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->edges[i].from == from && n->edges[i].label == label &&
            n->edges[i].to == to)
            return true;
    return false;
}

static expected expect(const naive_lts *n)
{
    expected x = { .order = malloc(n->states * sizeof *x.order) };
    uint32_t *distance = naive_distances(n);
    number_of(&x, n->initial);
    for (uint64_t i = 0; i < x.g.states; i++) {
        size_t before = x.g.count;
        for (size_t k = 0; k < n->count; k++) {
            const naive_edge *t = &n->edges[k];
            if (t->from != x.order[i]) continue;
            const naive_label *l = &n->labels[t->label];
            size_t label = naive_label_of(&x.g, l->text, l->bytes);
            uint64_t to = number_of(&x, t->to);
            if (!has_edge(&x.g, i, label, to)) naive_add(&x.g, i, label, to);
        }
        x.deadlocks += x.g.count == before;
        if (distance[x.order[i]] > x.depth) x.depth = distance[x.order[i]];
    }
    free(distance);
    return x;
}

static void expected_close(expected *x)
{
    naive_close(&x->g);
    free(x->order);
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void complain(const char *what, uint64_t seed, int threads, explore_order order)
{
    printf("%s: seed %llu, %d threads, %s\n", what, (unsigned long long)seed, threads,
           order == EXPLORE_DFS ? "dfs" : "bfs");
}

static void check_run(const model *s, const expected *want, explore_order order,
                      int threads, uint64_t seed)
{
    err e = ERR_INIT;
    explore *x;
    lts got;
    explore_options o = { .order = order, .threads = threads, .keep = true };
    o.stop_at_label = LABEL_NONE;
    CU_ASSERT_EQUAL_FATAL(explore_open(&x, s, &o, &e), 0);
    CU_ASSERT_EQUAL_FATAL(explore_run(x, &e), 0);
    const explore_counts *c = explore_counted(x);
    bool right = c->states == want->g.states && c->transitions == want->g.count &&
                 c->labels == want->g.label_count && c->frontier == 0 &&
                 c->deadlock_states == want->deadlocks &&
                 (order == EXPLORE_DFS || c->depth == want->depth);
    CU_ASSERT(right);
    if (!right) complain("counts", seed, threads, order);
    CU_ASSERT_EQUAL_FATAL(explore_take(x, &got, &e), 0);
    const char *differs = naive_difference(&want->g, &got);
    CU_ASSERT_PTR_NULL(differs);
    if (differs) complain(differs, seed, threads, order);
    lts_close(&got);
    explore_close(x);
}

static const int thread_counts[] = { 1, 2, 3, 8 };

static void explores_random_models_as_defined(void)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        mem m = MEM_INIT;
        random_stream r = random_open(seed, 1);
        uint64_t states = 1 + random_below(&r, 120);
        naive_lts n = naive_random(states, random_below(&r, 4 * states),
                                   1 + random_below(&r, 5), NAIVE_SORTED, seed);
        lts g = naive_rows(&n, &m);
        wide_model w;
        wide_model_open(&w, &g, 1 + (uint32_t)random_below(&r, WIDE_MODEL_WORDS));
        w.doubles = seed % 2;
        const model *s = &w.base;
        expected want = expect(&n);
        for (size_t t = 0; t < COUNT_OF(thread_counts); t++)
            check_run(s, &want, EXPLORE_BFS, thread_counts[t], seed);
        check_run(s, &want, EXPLORE_DFS, 1, seed);
        expected_close(&want);
        lts_close(&g);
        naive_close(&n);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

/* Wide levels, so that rounds are dealt out to all workers, and several of them per level. */
static void large_models_are_the_same_for_every_number_of_threads(void)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 60000, 300000, 40, 5), first = { .m = &m };
    wide_model w;
    wide_model_open(&w, &g, 3);
    const model *s = &w.base;
    for (size_t t = 0; t < COUNT_OF(thread_counts); t++) {
        err e = ERR_INIT;
        explore *x;
        lts got;
        explore_options o = { .threads = thread_counts[t], .keep = true };
        o.stop_at_label = LABEL_NONE;
        CU_ASSERT_EQUAL_FATAL(explore_open(&x, s, &o, &e), 0);
        CU_ASSERT_EQUAL_FATAL(explore_run(x, &e), 0);
        CU_ASSERT(explore_counted(x)->states > 50000);
        CU_ASSERT_EQUAL_FATAL(explore_take(x, &got, &e), 0);
        explore_close(x);
        if (t == 0) first = got;
        else {
            CU_ASSERT(sample_equal(&first, &got));
            lts_close(&got);
        }
    }
    lts_close(&first);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Many states with few moves, then as many with very many: a round must not be all of them. */
static lts fat_lts(mem *m)
{
    enum { THIN = 2000, FAT = 3000 };
    static sample_edge edge[THIN + THIN * (size_t)FAT];
    size_t count = 0;
    for (state_id s = 0; s < THIN; s++) edge[count++] = (sample_edge){ 0, "A", s + 1 };
    for (state_id s = 0; s < THIN; s++)
        for (state_id k = 0; k < FAT; k++)
            edge[count++] = (sample_edge){ s + 1, "B", (s * 7 + k) % (THIN + FAT) };
    return sample_lts(m, THIN + FAT, 0, edge, count);
}

static void rounds_end_where_moves_are_many(void)
{
    mem own = MEM_INIT;
    lts g = fat_lts(&own);
    for (size_t t = 0; t < COUNT_OF(thread_counts); t++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        explore *x;
        wide_model w;
        wide_model_open(&w, &g, 2);
        w.base.m = &m;
        explore_options o = { .threads = thread_counts[t], .stop_at_label = LABEL_NONE };
        CU_ASSERT_EQUAL_FATAL(explore_open(&x, &w.base, &o, &e), 0);
        CU_ASSERT_EQUAL_FATAL(explore_run(x, &e), 0);
        CU_ASSERT_EQUAL(explore_counted(x)->transitions, g.transitions);
        CU_ASSERT(m.peak < (size_t)(4 << 20) * (size_t)(1 + o.threads));
        explore_close(x);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    lts_close(&g);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* All states that a sequence of labels leads to. */
static void follow(const naive_lts *n, const explore_trace *t, const label_table *labels,
                   bool *at)
{
    memset(at, 0, n->states);
    at[n->initial] = true;
    for (size_t i = 0; i < t->count; i++) {
        bool *next = calloc(n->states, 1);
        size_t bytes;
        const char *text = label_table_text(labels, t->at[i], &bytes);
        for (size_t k = 0; k < n->count; k++) {
            const naive_label *l = &n->labels[n->edges[k].label];
            if (at[n->edges[k].from] && l->bytes == bytes &&
                memcmp(l->text, text, bytes) == 0)
                next[n->edges[k].to] = true;
        }
        memcpy(at, next, n->states);
        free(next);
    }
}

/* Does the trace lead to a deadlock (label NONE), or somewhere, its last label being this? */
static bool leads_there(const naive_lts *n, const explore_trace *t,
                        const label_table *labels, label_id label)
{
    bool *at = malloc(n->states), found = false;
    follow(n, t, labels, at);
    for (uint64_t s = 0; s < n->states; s++) {
        bool moves = false;
        for (size_t k = 0; k < n->count; k++) moves |= n->edges[k].from == s;
        found |= at[s] && (label != LABEL_NONE || !moves);
    }
    if (label != LABEL_NONE) found &= t->count > 0 && t->at[t->count - 1] == label;
    free(at);
    return found;
}

/* The least distance of a deadlock, or of a state with that label plus one; or UINT32_MAX. */
static uint32_t nearest(const naive_lts *n, const label_table *labels, label_id label)
{
    uint32_t *distance = naive_distances(n), best = UINT32_MAX;
    for (uint64_t s = 0; s < n->states; s++) {
        bool moves = false, labelled = false;
        for (size_t k = 0; k < n->count; k++) {
            const naive_label *l = &n->labels[n->edges[k].label];
            if (n->edges[k].from != s) continue;
            moves = true;
            labelled |= label_table_find(labels, l->text, l->bytes) == label;
        }
        if (distance[s] == UINT32_MAX) continue;
        uint32_t here = label == LABEL_NONE ? distance[s] : distance[s] + 1;
        if ((label == LABEL_NONE ? !moves : labelled) && here < best) best = here;
    }
    free(distance);
    return best;
}

static explore_trace trace_of(const model *s, explore_options *o, bool *found,
                              explore_counts *counts)
{
    err e = ERR_INIT;
    explore *x;
    explore_trace t = { 0 };
    CU_ASSERT_EQUAL_FATAL(explore_open(&x, s, o, &e), 0);
    CU_ASSERT_EQUAL_FATAL(explore_run(x, &e), 0);
    *found = explore_found(x);
    *counts = *explore_counted(x);
    if (*found) CU_ASSERT_EQUAL_FATAL(explore_trace_of(x, &t, &e), 0);
    explore_close(x);
    return t;
}

static void check_stop(const naive_lts *n, const model *s, label_id label, uint64_t seed)
{
    uint32_t best = nearest(n, s->labels, label);
    explore_trace first = { 0 };
    explore_counts counts, first_counts = { 0 };
    for (size_t t = 0; t <= COUNT_OF(thread_counts); t++) {
        bool dfs = t == COUNT_OF(thread_counts), found;
        explore_options o = { .threads = dfs ? 1 : thread_counts[t] };
        o.order = dfs ? EXPLORE_DFS : EXPLORE_BFS;
        o.stop_at_deadlock = label == LABEL_NONE;
        o.stop_at_label = label;
        explore_trace got = trace_of(s, &o, &found, &counts);
        bool right = found == (best != UINT32_MAX);
        if (found)
            right &= leads_there(n, &got, s->labels, label) && (dfs || got.count == best);
        if (found && !dfs && t > 0) /* the same way, not only one of the same length */
            right &= got.count == first.count &&
                     (got.count == 0 ||
                      memcmp(got.at, first.at, got.count * sizeof *got.at) == 0);
        if (t == 0) first_counts = counts;
        else if (!dfs) right &= memcmp(&counts, &first_counts, sizeof counts) == 0;
        CU_ASSERT(right);
        if (!right) complain("trace", seed, o.threads, o.order);
        if (t == 0) first = got;
        else vec_release(s->m, &got);
    }
    vec_release(s->m, &first);
}

static void stops_with_a_shortest_trace(void)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        mem m = MEM_INIT;
        random_stream r = random_open(seed, 2);
        uint64_t states = 1 + random_below(&r, 80);
        naive_lts n = naive_random(states, states + random_below(&r, 2 * states),
                                   1 + random_below(&r, 8), NAIVE_SORTED, seed);
        lts g = naive_rows(&n, &m);
        wide_model w;
        wide_model_open(&w, &g, 2);
        const model *s = &w.base;
        check_stop(&n, s, LABEL_NONE, seed);
        for (label_id l = 0; l < label_table_count(g.labels); l++)
            check_stop(&n, s, l, seed);
        lts_close(&g);
        naive_close(&n);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static int explore_all(const model *s, const explore_options *o, uint64_t *states, err *e)
{
    explore *x = NULL;
    lts got = { .m = s->m };
    *states = 0;
    if (explore_open(&x, s, o, e) == 0) {
        if (explore_run(x, e) == 0 && o->keep) explore_take(x, &got, e);
        *states = explore_counted(x)->states;
    }
    lts_close(&got);
    explore_close(x);
    return (int)e->code;
}

static void every_refused_allocation_is_survived(void)
{
    static const explore_options ways[] = {
        { .threads = 1, .keep = true, .stop_at_label = LABEL_NONE },
        { .threads = 3, .keep = true, .stop_at_label = LABEL_NONE },
        { .threads = 1, .keep = true, .stop_at_label = LABEL_NONE, .order = EXPLORE_DFS },
    };
    mem own = MEM_INIT;
    lts g = sample_lts_random(&own, 400, 1200, 5, 9);
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        for (size_t fail_at = 1;; fail_at++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            uint64_t states;
            wide_model w;
            wide_model_open(&w, &g, 2);
            w.base.m = &m;
            m.fail_at = fail_at;
            int code = explore_all(&w.base, &ways[i], &states, &e);
            CU_ASSERT_EQUAL(w.open_contexts, 0);
            CU_ASSERT_EQUAL(m.now, 0);
            if (code == 0) break;
            CU_ASSERT_EQUAL(code, ERR_LIMIT);
        }
    lts_close(&g);
}

static void a_bound_of_states_is_a_limit_with_counts(void)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 20000, 60000, 5, 9);
    wide_model w;
    wide_model_open(&w, &g, 2);
    const model *s = &w.base;
    for (int threads = 1; threads <= 3; threads++)
        for (explore_order order = EXPLORE_BFS; order <= EXPLORE_DFS; order++) {
            err e = ERR_INIT;
            uint64_t states;
            explore_options o = { .threads = order == EXPLORE_DFS ? 1 : threads,
                                  .order = order,
                                  .max_states = 1000,
                                  .stop_at_label = LABEL_NONE };
            CU_ASSERT_EQUAL(explore_all(s, &o, &states, &e), ERR_LIMIT);
            CU_ASSERT(states > 1000 && states < 1100);
            CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "--max-states"));
        }
    lts_close(&g);
}

static void what_the_model_says_goes_up(void)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 100, 500, 5, 9);
    wide_model w;
    wide_model_open(&w, &g, 2);
    w.fails_at = g.target[g.first[g.initial]];
    err e = ERR_INIT;
    uint64_t states;
    explore_options o = { .threads = 1, .stop_at_label = LABEL_NONE };
    CU_ASSERT_EQUAL(explore_all(&w.base, &o, &states, &e), ERR_INPUT);
    CU_ASSERT(states > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "fails"));
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_explore[] = {
    { "explores random models as defined", explores_random_models_as_defined },
    { "large models are the same for every number of threads",
      large_models_are_the_same_for_every_number_of_threads },
    { "rounds end where moves are many", rounds_end_where_moves_are_many },
    { "stops with a shortest trace", stops_with_a_shortest_trace },
    { "every refused allocation is survived", every_refused_allocation_is_survived },
    { "a bound of states is a limit with counts",
      a_bound_of_states_is_a_limit_with_counts },
    { "what the model says goes up", what_the_model_says_goes_up },
    CU_TEST_INFO_NULL
};
