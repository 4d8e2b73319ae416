#include "tests/naive_lts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
    if (p == NULL) abort();
    return p;
}

void naive_close(naive_lts *n)
{
    for (size_t i = 0; i < n->label_count; i++) free(n->labels[i].text);
    free(n->labels);
    free(n->edges);
    *n = (naive_lts){ 0 };
}

void naive_add(naive_lts *n, uint64_t from, size_t label, uint64_t to)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 8;
        n->edges = must(realloc(n->edges, n->room * sizeof *n->edges));
    }
    n->edges[n->count++] = (naive_edge){ from, to, label };
}

static size_t new_label(naive_lts *n, const char *text, size_t bytes)
{
    if (n->label_count == n->label_room) {
        n->label_room = 2 * n->label_room + 8;
        n->labels = must(realloc(n->labels, n->label_room * sizeof *n->labels));
    }
    naive_label *l = &n->labels[n->label_count];
    *l = (naive_label){ must(malloc(bytes + 1)), bytes };
    memcpy(l->text, text, bytes);
    l->text[bytes] = '\0';
    return n->label_count++;
}

size_t naive_label_of(naive_lts *n, const char *text, size_t bytes)
{
    for (size_t i = 0; i < n->label_count; i++)
        if (n->labels[i].bytes == bytes && memcmp(n->labels[i].text, text, bytes) == 0)
            return i;
    return new_label(n, text, bytes);
}

/* ---- random ones --------------------------------------------------------------------- */

static void name_label(char *into, size_t room, size_t i)
{
    static const char *const forms[] = {
        "L%zu",          "SEND !%zu",  "A !\"x\" !%zu", "g_%zu, h",
        "\"%zu\"",       "\\%zu\\",    "(%zu",          "long_name_of_a_label_%zu",
        "\xc3\xa9 !%zu", "%zu\"",      "%zu,%zu)",      "label_of_16__%3zu",
        "P!%zu \" ,",    "x%zu, 1, 2", "%08zu",         " %zu "
    };
    enum { FORMS = sizeof forms / sizeof forms[0] };
    if (i == 1) snprintf(into, room, "i");
    else snprintf(into, room, forms[i % FORMS], i, i);
}

static int by_source(const void *a, const void *b)
{
    uint64_t x = ((const naive_edge *)a)->from, y = ((const naive_edge *)b)->from;
    return (x > y) - (x < y);
}

static void swap_some(naive_lts *n, size_t swaps, random_stream *r)
{
    for (size_t i = 0; i < swaps && n->count > 0; i++) {
        naive_edge *a = &n->edges[random_below(r, n->count)];
        naive_edge *b = &n->edges[random_below(r, n->count)], c = *a;
        *a = *b;
        *b = c;
    }
}

/* Labels get names, and numbers in the order of their first use. */
static void name_labels(naive_lts *n, size_t labels)
{
    size_t *number = must(malloc((labels + 1) * sizeof *number));
    for (size_t i = 0; i < labels; i++) number[i] = SIZE_MAX;
    for (size_t i = 0; i < n->count; i++) {
        size_t *l = &n->edges[i].label;
        char name[96];
        name_label(name, sizeof name, *l);
        if (number[*l] == SIZE_MAX) number[*l] = new_label(n, name, strlen(name));
        *l = number[*l];
    }
    free(number);
}

naive_lts naive_random(uint64_t states, size_t count, size_t labels, naive_order order,
                       uint64_t seed)
{
    random_stream r = random_open(seed, 77);
    naive_lts n = { .states = states, .initial = random_below(&r, states) };
    for (size_t i = 0; i < count; i++) {
        uint64_t from = random_below(&r, states);
        size_t label = i < labels ? i : (size_t)random_below(&r, labels);
        if (i > 0 && random_below(&r, 8) == 0) { /* duplicates, and near ones */
            from = n.edges[i - 1].from;
            if (i >= labels && random_below(&r, 2)) label = n.edges[i - 1].label;
        }
        bool near = random_below(&r, 2);
        naive_add(&n, from, label, near ? from : random_below(&r, states));
    }
    if (order != NAIVE_SHUFFLED && count > 0)
        qsort(n.edges, n.count, sizeof *n.edges, by_source);
    if (order == NAIVE_PARTLY) swap_some(&n, 1 + count / 64, &r);
    name_labels(&n, labels);
    return n;
}

/* ---- comparison ------------------------------------------------------------------------ */

static bool same_label(const naive_label *l, const label_table *t, label_id id)
{
    size_t bytes;
    const char *text = label_table_text(t, id, &bytes);
    return l->bytes == bytes && memcmp(l->text, text, bytes) == 0;
}

/* Walk the list, one finger on each row. */
static const char *edge_difference(const naive_lts *n, const lts *g, uint64_t *at)
{
    for (uint64_t s = 0; s < n->states; s++) at[s] = g->first[s];
    for (size_t i = 0; i < n->count; i++) {
        const naive_edge *e = &n->edges[i];
        uint64_t t = at[e->from]++;
        if (t >= g->first[e->from + 1]) return "a row is too short";
        if (g->target[t] != e->to) return "a target";
        if (lts_label(g, t) != e->label) return "a label";
    }
    return NULL; /* no row is too long either: the sums are equal */
}

const char *naive_difference(const naive_lts *n, const lts *g)
{
    const char *invalid = naive_invalid(g);
    if (invalid) return invalid;
    if (g->states != n->states) return "the number of states";
    if (g->initial != n->initial) return "the initial state";
    if (g->transitions != n->count) return "the number of transitions";
    if (label_table_count(g->labels) != n->label_count) return "the number of labels";
    for (size_t i = 0; i < n->label_count; i++)
        if (!same_label(&n->labels[i], g->labels, (label_id)i)) return "a label's text";
    uint64_t *at = must(malloc(n->states * sizeof *at));
    const char *what = edge_difference(n, g, at);
    free(at);
    return what;
}

const char *naive_invalid(const lts *g)
{
    if (g->states == 0 || g->initial >= g->states) return "no initial state";
    if (g->first[0] != 0 || g->first[g->states] != g->transitions) return "rows' ends";
    for (uint64_t s = 0; s < g->states; s++)
        if (g->first[s] > g->first[s + 1]) return "a row ends before it begins";
    label_id labels = label_table_count(g->labels);
    if (g->label_bytes != (labels <= 256 ? 1u : labels <= 65536 ? 2u : 4u))
        return "the width of labels";
    for (uint64_t t = 0; t < g->transitions; t++) {
        if (g->target[t] >= g->states) return "a target that is no state";
        if (lts_label(g, t) >= labels) return "a label without a name";
    }
    return NULL;
}

static void put_labels(const naive_lts *n, label_table *t)
{
    err e = ERR_INIT;
    label_id id;
    for (size_t i = 0; i < n->label_count; i++)
        if (label_table_put(t, n->labels[i].text, n->labels[i].bytes, &id, &e) != 0)
            abort();
}

lts naive_rows(const naive_lts *n, mem *m)
{
    err e = ERR_INIT;
    lts g = { .m = m,
              .states = (state_id)n->states,
              .initial = (state_id)n->initial,
              .transitions = n->count,
              .label_bytes = n->label_count <= 256     ? 1
                             : n->label_count <= 65536 ? 2
                                                       : 4 };
    if (lts_allocate(&g, &e) != 0 || label_table_open(&g.labels, m, &e) != 0) abort();
    put_labels(n, g.labels);
    uint64_t t = 0;
    for (uint64_t s = 0; s < n->states; s++) {
        g.first[s] = t;
        for (size_t i = 0; i < n->count; i++) {
            if (n->edges[i].from != s) continue;
            g.target[t] = (state_id)n->edges[i].to;
            lts_set_label(&g, t++, (label_id)n->edges[i].label);
        }
    }
    g.first[n->states] = t;
    return g;
}

/* ---- facts ------------------------------------------------------------------------------ */

/* Shorten distances until nothing changes. */
uint32_t *naive_distances(const naive_lts *n)
{
    uint32_t *d = must(malloc(n->states * sizeof *d));
    for (uint64_t s = 0; s < n->states; s++) d[s] = UINT32_MAX;
    d[n->initial] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n->count; i++) {
            const naive_edge *e = &n->edges[i];
            if (d[e->from] == UINT32_MAX || d[e->to] <= d[e->from] + 1) continue;
            d[e->to] = d[e->from] + 1;
            changed = true;
        }
    }
    return d;
}

static bool is_tau(const naive_lts *n, size_t label)
{
    return n->labels[label].bytes == 1 && n->labels[label].text[0] == 'i';
}

/* Can `s` come back to itself by tau transitions alone? */
static bool on_tau_cycle(const naive_lts *n, uint64_t s)
{
    bool *seen = must(calloc(n->states, sizeof *seen));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n->count; i++) {
            const naive_edge *e = &n->edges[i];
            if (!is_tau(n, e->label) || seen[e->to]) continue;
            if (e->from == s || seen[e->from]) changed = seen[e->to] = true;
        }
    }
    bool back = seen[s];
    free(seen);
    return back;
}

static bool deterministic(const naive_lts *n)
{
    for (size_t i = 0; i < n->count; i++)
        for (size_t k = 0; k < i; k++) {
            const naive_edge *a = &n->edges[i], *b = &n->edges[k];
            if (a->from == b->from && a->label == b->label && a->to != b->to)
                return false;
        }
    return true;
}

static uint64_t degree(const naive_lts *n, uint64_t s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n->count; i++) count += n->edges[i].from == s;
    return count;
}

lts_facts naive_facts(const naive_lts *n)
{
    lts_facts f = { .branching_min = UINT64_MAX };
    uint32_t *distance = naive_distances(n);
    for (uint64_t s = 0; s < n->states; s++) {
        uint64_t out = degree(n, s);
        bool reached = distance[s] != UINT32_MAX;
        if (out < f.branching_min) f.branching_min = out;
        if (out > f.branching_max) f.branching_max = out;
        f.deadlock_states += out == 0;
        f.deadlock_states_reachable += out == 0 && reached;
        f.unreachable_states += !reached;
        f.livelock |= reached && on_tau_cycle(n, s);
        if (reached && distance[s] + 1 > f.levels) f.levels = distance[s] + 1;
    }
    for (size_t i = 0; i < n->count; i++)
        f.tau_transitions += is_tau(n, n->edges[i].label);
    f.branching_average = (double)n->count / (double)n->states;
    f.deterministic = deterministic(n);
    free(distance);
    return f;
}
