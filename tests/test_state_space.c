/*
 * test_state_space.c - states met on the fly, against a list that is looked through.
 */
#include "core/ids.h"
#include "core/random.h"
#include "core/state_space.h"
#include "tests/sample_lts.h"
#include "tests/wide_model.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const state_space_limits unlimited = { .states = STATES_MAX,
                                              .transitions = UINT32_MAX - 1 };

/* ---- by hand ------------------------------------------------------------------------------- */

/* Which state of the LTS has which number. */
typedef struct naive_space {
    const lts *g;
    state_id *met; /* owned */
    state_id count;
} naive_space;

static state_id number_of(naive_space *n, state_id s)
{
    state_id i = 0;
    while (i < n->count && n->met[i] != s) i++;
    if (i == n->count) n->met[n->count++] = s;
    return i;
}

static bool is_first(const lts *g, uint64_t first, uint64_t t)
{
    for (uint64_t k = first; k < t; k++)
        if (g->target[k] == g->target[t] && lts_label(g, k) == lts_label(g, t))
            return false;
    return true;
}

/* Is this the row, and does it meet whom it should? */
static bool is_row(naive_space *n, state_id s, const lts_row *r)
{
    const lts *g = n->g;
    uint64_t first = g->first[n->met[s]], end = g->first[n->met[s] + 1];
    uint32_t i = 0;
    bool same = true;
    for (uint64_t t = first; t < end && same; t++) {
        if (!is_first(g, first, t)) continue;
        same = i < r->count && lts_row_label(r, i) == lts_label(g, t) &&
               r->target[i] == number_of(n, g->target[t]);
        i++;
    }
    return same && i == r->count;
}

/* ---- rows ---------------------------------------------------------------------------------- */

typedef struct shape {
    state_id states;
    uint64_t transitions;
    label_id labels;
    uint32_t words, asked;
    bool doubles;
} shape;

static void fetch_some(state_space *p, random_stream *r)
{
    state_id met = *state_space_met(p);
    for (uint64_t i = random_below(r, 4); i > 0; i--)
        state_space_fetch(p, (state_id)random_below(r, met), (int)random_below(r, 2));
    CU_ASSERT_EQUAL(*state_space_met(p), met);
}

static bool ask_at_random(state_space *p, naive_space *n, const shape *s, uint64_t seed)
{
    random_stream r = random_open(seed, 1);
    for (uint32_t i = 0; i < s->asked; i++) {
        state_id from = (state_id)random_below(&r, n->count);
        if (i % 2 && i / 2 < n->count) from = i / 2; /* so that all have their turn */
        fetch_some(p, &r);
        lts_row row = state_space_row(p, from);
        if (!is_row(n, from, &row) || *state_space_met(p) != n->count) return false;
    }
    return true;
}

static void rows_and_numbers_are_those_of_a_list(void)
{
    static const shape shapes[] = {
        { 1, 0, 1, 1, 5, false },
        { 5, 9, 2, 1, 50, true },
        { 20, 80, 3, 8, 300, true },
        { 300, 900, 2, 3, 4000, false },
        { 3000, 7000, 4, 2, 7000, true }, /* more than are kept */
        { 3, 600, 2, 4, 60, true },       /* most are equal */
        { 40, 9000, 300, 5, 200, false },
        { 1, 12000, 9000, 2, 5, true }, /* longer than what is kept */
        { 3, 20000, 9000, 2, 30, true },
    };
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++) {
            const shape *s = &shapes[i];
            mem m = MEM_INIT, own = MEM_INIT;
            err e = ERR_INIT;
            lts g = sample_lts_random(&m, s->states, s->transitions, s->labels, seed);
            naive_space n = { &g, calloc(s->states, sizeof *n.met), 0 };
            wide_model w;
            state_space *p;
            wide_model_open(&w, &g, s->words);
            w.base.m = &own;
            w.doubles = s->doubles;
            CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &unlimited, &e), 0);
            number_of(&n, g.initial);
            CU_ASSERT(state_space_initial(p) == 0 && *state_space_met(p) == 1);
            bool fine = ask_at_random(p, &n, s, seed);
            if (!fine) printf("\nseed %" PRIu64 ", shape %zu", seed, i);
            CU_ASSERT(fine && state_space_trouble(p)->code == ERR_NONE);
            state_space_close(p);
            CU_ASSERT(own.now == 0 && w.open_contexts == 0);
            free(n.met);
            lts_close(&g);
        }
}

/* ---- shared -------------------------------------------------------------------------------- */

enum { WORKERS_MAX = 5, ELSEWHERE = 1000000 };

/* A model whose states several spaces share. */
typedef struct sharing {
    const lts *g;
    wide_model m;
    state_space *of[WORKERS_MAX];
    worker_id workers;
    random_stream chance;
} sharing;

static state_id state_at(const sharing *s, worker_id w, state_id number)
{
    char text[20];
    unsigned state;
    state_space_print(s->of[w], number, text, sizeof text);
    if (sscanf(text, "<%u>", &state) != 1) abort();
    return state;
}

/* The owner of a target elsewhere meets it, with another one behind it. */
static bool tell_owner(sharing *s, const state_space *from, uint32_t i, state_id state)
{
    uint32_t words = s->m.base.key_words, letter[2][WIDE_MODEL_WORDS + 1];
    worker_id to = state_space_target_owner(from, i);
    const uint32_t *key = state_space_target_key(from, i);
    state_id number[2];
    err e = ERR_INIT;
    memcpy(letter[0] + 1, key, words * sizeof *key);
    memcpy(letter[1] + 1, key, words * sizeof *key);
    return to < s->workers && from != s->of[to] && state_space_owner(from, key) == to &&
           state_space_meet(s->of[to], letter[0] + 1, sizeof letter[0], 2, number, &e) ==
               0 &&
           number[0] == number[1] && state_at(s, to, number[0]) == state;
}

static bool is_shared_row(sharing *s, worker_id w, state_id from)
{
    const lts *g = s->g;
    uint64_t first = g->first[state_at(s, w, from)];
    uint64_t end = g->first[state_at(s, w, from) + 1];
    lts_row r = state_space_row(s->of[w], from);
    uint32_t i = 0;
    bool same = true;
    for (uint64_t t = first; t < end && same; t++) {
        if (!is_first(g, first, t)) continue;
        fetch_some(s->of[w], &s->chance); /* which does not matter */
        same = i < r.count && lts_row_label(&r, i) == lts_label(g, t) &&
               (r.target[i] < ELSEWHERE ? state_at(s, w, r.target[i]) == g->target[t]
                                        : r.target[i] == ELSEWHERE + i &&
                                              tell_owner(s, s->of[w], i, g->target[t]));
        i++;
    }
    return same && i == r.count;
}

static void open_sharing(sharing *s, const lts *g, mem *own, uint64_t seed)
{
    worker_id owner;
    *s = (sharing){ .g = g, .workers = 2 + (worker_id)(seed % 4) };
    s->chance = random_open(seed, 2);
    wide_model_open(&s->m, g, 1 + (uint32_t)(seed % WIDE_MODEL_WORDS));
    s->m.base.m = own;
    s->m.doubles = seed % 2;
    for (worker_id w = 0; w < s->workers; w++) {
        state_space_share share = { w, s->workers, ELSEWHERE };
        err e = ERR_INIT;
        CU_ASSERT_EQUAL_FATAL(
            state_space_open_share(&s->of[w], &s->m.base, &unlimited, &share, &e), 0);
        owner = state_space_owner(s->of[w], s->m.initial);
        CU_ASSERT_EQUAL(*state_space_met(s->of[w]), owner == w);
    }
}

/* Ask until every state that was met has been asked for, and some again. */
static bool ask_shared(sharing *s)
{
    state_id next[WORKERS_MAX] = { 0 };
    bool right = true, more = true;
    while (more && right) {
        more = false;
        for (worker_id w = 0; w < s->workers && right; w++) {
            if (next[w] == *state_space_met(s->of[w])) continue;
            more = true;
            state_id again = (state_id)random_below(&s->chance, next[w] + 1);
            right = is_shared_row(s, w, next[w]++) && is_shared_row(s, w, again);
        }
    }
    return right;
}

/* The states of all spaces: none is in two of them. */
static state_id count_states(const sharing *s)
{
    uint8_t *seen = calloc(s->g->states, 1);
    state_id count = 0;
    for (worker_id w = 0; w < s->workers; w++)
        for (state_id i = 0; i < *state_space_met(s->of[w]); i++) {
            CU_ASSERT(seen[state_at(s, w, i)]++ == 0);
            count++;
        }
    free(seen);
    return count;
}

static state_id count_reachable(const lts *g)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    wide_model w;
    state_space *p;
    wide_model_open(&w, g, 1);
    w.base.m = &m;
    CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &unlimited, &e), 0);
    for (state_id s = 0; s < *state_space_met(p); s++) state_space_row(p, s);
    state_id count = *state_space_met(p);
    state_space_close(p);
    return count;
}

static void spaces_that_share_states_have_each_once(void)
{
    static const shape shapes[] = {
        { .states = 1, .transitions = 3, .labels = 2 },
        { .states = 60, .transitions = 150, .labels = 3 },
        { .states = 4000, .transitions = 9000, .labels = 2 },
        { .states = 3, .transitions = 9000, .labels = 1500 }
    };
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++) {
            mem m = MEM_INIT, own = MEM_INIT;
            lts g = sample_lts_random(&m, shapes[i].states, shapes[i].transitions,
                                      shapes[i].labels, seed);
            sharing s;
            open_sharing(&s, &g, &own, seed);
            bool right = ask_shared(&s);
            if (!right) printf("\nseed %" PRIu64 ", shape %zu", seed, i);
            CU_ASSERT(right);
            CU_ASSERT_EQUAL(count_states(&s), count_reachable(&g));
            for (worker_id w = 0; w < s.workers; w++) state_space_close(s.of[w]);
            CU_ASSERT(own.now == 0 && s.m.open_contexts == 0);
            lts_close(&g);
        }
}

static void shares_are_even(void)
{
    enum { STATES = 30000 };
    mem m = MEM_INIT, own = MEM_INIT;
    lts g = sample_lts_random(&m, STATES, 6 * STATES, 2, 3);
    sharing s;
    open_sharing(&s, &g, &own, 3);
    CU_ASSERT(ask_shared(&s));
    state_id all = count_states(&s);
    CU_ASSERT_FATAL(s.workers == 5 && all > STATES * 9 / 10);
    for (worker_id w = 0; w < s.workers; w++) {
        state_id met = *state_space_met(s.of[w]);
        CU_ASSERT(met > all / 5 * 95 / 100 && met < all / 5 * 105 / 100);
        state_space_close(s.of[w]);
    }
    lts_close(&g);
}

/* ---- what is kept -------------------------------------------------------------------------- */

static void a_recent_row_is_not_computed_again(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 500, 1500, 2, 3);
    wide_model w;
    state_space *p;
    wide_model_open(&w, &g, 2);
    CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &unlimited, &e), 0);
    for (state_id s = 0; s < *state_space_met(p); s++) {
        state_space_fetch(p, s, 0);
        state_space_fetch(p, s, 1);
        state_space_fetch(p, s, 1);
        state_space_row(p, s);
        state_space_row(p, s);
    }
    CU_ASSERT(*state_space_met(p) > 100 && w.asked == *state_space_met(p));
    for (state_id s = 0; s < *state_space_met(p); s++) state_space_row(p, s);
    CU_ASSERT_EQUAL(w.asked, *state_space_met(p));
    state_space_close(p);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void an_explicit_model_keeps_its_numbers(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 50, 200, 3, 5);
    model s = wide_model_explicit(&g);
    state_space *p;
    CU_ASSERT_EQUAL_FATAL(
        state_space_open(&p, &s, &(state_space_limits){ 1, 1, NULL }, &e), 0);
    CU_ASSERT_EQUAL(state_space_initial(p), g.initial);
    CU_ASSERT_EQUAL(*state_space_met(p), g.states);
    for (state_id i = 0; i < g.states; i++) {
        lts_row r = state_space_row(p, i);
        CU_ASSERT(r.target == g.target + g.first[i]);
        CU_ASSERT_EQUAL(r.count, g.first[i + 1] - g.first[i]);
    }
    state_space_close(p);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void states_are_printed_by_the_model(void)
{
    static const sample_edge edges[] = { { 0, "a", 2 }, { 2, "a", 1 } };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts(&m, 3, 0, edges, COUNT_OF(edges));
    wide_model w;
    state_space *p;
    char text[20];
    wide_model_open(&w, &g, 3);
    CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &unlimited, &e), 0);
    state_space_row(p, 0);
    state_space_print(p, 1, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "<2>");
    state_space_close(p);
    lts_close(&g);
}

/* ---- trouble ------------------------------------------------------------------------------- */

/* Ask for all rows; how many were not empty. */
static state_id ask_all(state_space *p)
{
    state_id full = 0;
    for (state_id s = 0; s < *state_space_met(p); s++) {
        if (s % 3 == 0) state_space_fetch(p, s, 1);
        full += state_space_row(p, s).count > 0;
    }
    return full;
}

/* A chain of ten states, of which the last one has three transitions. */
static const sample_edge chain[] = { { 0, "a", 1 }, { 1, "a", 2 }, { 2, "a", 3 },
                                     { 3, "a", 4 }, { 4, "a", 5 }, { 5, "a", 6 },
                                     { 6, "a", 7 }, { 7, "a", 8 }, { 8, "a", 9 },
                                     { 9, "a", 0 }, { 9, "b", 0 }, { 9, "c", 0 } };

static void what_goes_wrong_is_kept_and_rows_are_empty(void)
{
    static const struct {
        state_space_limits limits;
        state_id fails_at, full, met;
        err_code code;
    } rows[] = {
        { { 10, 3, NULL }, STATE_NONE, 10, 10, ERR_NONE },
        { { 9, 3, NULL }, STATE_NONE, 8, 9, ERR_LIMIT },
        { { 1, 3, NULL }, STATE_NONE, 0, 1, ERR_LIMIT },
        { { 10, 2, NULL }, STATE_NONE, 9, 10, ERR_LIMIT },
        { { 10, 3, NULL }, 6, 6, 7, ERR_INPUT },
        { { 10, 3, NULL }, 0, 0, 1, ERR_INPUT },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts(&m, 10, 0, chain, COUNT_OF(chain));
        wide_model w;
        state_space *p;
        wide_model_open(&w, &g, 2);
        w.fails_at = rows[i].fails_at;
        CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &rows[i].limits, &e), 0);
        if (rows[i].fails_at == 0) state_space_fetch(p, 0, 1);
        CU_ASSERT_EQUAL(state_space_trouble(p)->code, ERR_NONE); /* nobody asked yet */
        CU_ASSERT_EQUAL(ask_all(p), rows[i].full);
        CU_ASSERT_EQUAL(*state_space_met(p), rows[i].met);
        CU_ASSERT_EQUAL(state_space_trouble(p)->code, rows[i].code);
        CU_ASSERT_EQUAL(state_space_row(p, 0).count > 0, rows[i].code == ERR_NONE);
        state_space_close(p);
        lts_close(&g);
        CU_ASSERT(m.now == 0 && w.open_contexts == 0);
    }
}

/* Rows so long, and so many, that every kind of memory grows. */
static int live(const lts *g, mem *m, bool *trouble)
{
    err e = ERR_INIT;
    wide_model w;
    state_space *p;
    wide_model_open(&w, g, 4);
    w.base.m = m;
    *trouble = false;
    if (state_space_open(&p, &w.base, &unlimited, &e) != 0) return (int)e.code;
    for (state_id s = 0; s < *state_space_met(p); s++) state_space_row(p, s);
    *trouble = state_space_trouble(p)->code == ERR_LIMIT;
    CU_ASSERT(*trouble || *state_space_met(p) > 10);
    state_space_close(p);
    CU_ASSERT_EQUAL(w.open_contexts, 0);
    return 0;
}

static void every_failing_allocation_is_trouble_and_leaves_nothing(void)
{
    mem other = MEM_INIT;
    lts g = sample_lts_random(&other, 40, 5000, 200, 7);
    size_t n = 0, failed = 0;
    for (bool more = true; more; failed += more) {
        mem m = MEM_INIT;
        bool trouble;
        m.fail_at = ++n;
        int rc = live(&g, &m, &trouble);
        more = m.calls >= n;
        CU_ASSERT_EQUAL_FATAL(rc == ERR_LIMIT || trouble, more);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
    }
    CU_ASSERT(failed > 50);
    lts_close(&g);
}

/* Few rows, but long ones: the time is up between two of them, not after thousands. */
static void the_clock_is_looked_at_per_moves_not_per_rows(void)
{
    enum { STATES = 3000, EACH = 500, MANY = 4000 }; /* 2100 rows are 2^20 moves */
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, STATES, (uint64_t)STATES * EACH, 3, 5);
    for (int late = 0; late < 2; late++) {
        wide_model w;
        progress clock;
        state_space *p;
        wide_model_open(&w, &g, 1);
        progress_open(&clock, PROGRESS_OFF, late ? 1e-9 : 1000);
        state_space_limits limits = { STATES, UINT32_MAX - 1, &clock };
        CU_ASSERT_EQUAL_FATAL(state_space_open(&p, &w.base, &limits, &e), 0);
        for (state_id i = 0; i < MANY;
             i++) { /* none is kept till it is asked for again */
            state_id s = i * 7 % *state_space_met(p);
            if (i % 2) state_space_fetch(p, s, 1);
            state_space_row(p, s);
            state_space_row(p, (s + 1) % *state_space_met(p));
        }
        CU_ASSERT_EQUAL(state_space_trouble(p)->code, late ? ERR_LIMIT : ERR_NONE);
        if (late) CU_ASSERT(w.asked < 2300 && w.asked > 1900);
        state_space_close(p);
    }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_state_space[] = {
    { "rows and numbers are those of a list", rows_and_numbers_are_those_of_a_list },
    { "spaces that share states have each once",
      spaces_that_share_states_have_each_once },
    { "shares are even", shares_are_even },
    { "a recent row is not computed again", a_recent_row_is_not_computed_again },
    { "an explicit model keeps its numbers", an_explicit_model_keeps_its_numbers },
    { "states are printed by the model", states_are_printed_by_the_model },
    { "what goes wrong is kept, and rows are empty",
      what_goes_wrong_is_kept_and_rows_are_empty },
    { "every failing allocation is trouble and leaves nothing",
      every_failing_allocation_is_trouble_and_leaves_nothing },
    { "the clock is looked at per moves, not per rows",
      the_clock_is_looked_at_per_moves_not_per_rows },
    CU_TEST_INFO_NULL
};
