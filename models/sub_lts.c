#include "models/sub_lts.h"

#include "models/lts_file.h"

#include <stdlib.h>

/* The states that are reached, with their new numbers. */
typedef struct numbering {
    VEC(state_id)
    state; /* all that kept transitions lead to, and the initial one; sorted */
    VEC(uint32_t) number; /* of each: its number + 1, or 0 */
    VEC(state_id) order;  /* reached, in that order */
    uint64_t transitions; /* kept ones that leave them */
} numbering;

int sub_lts_add(sub_lts *s, const sub_lts_edge *edge, err *e)
{
    return vec_push(s->m, &s->kept, *edge, e);
}

void sub_lts_release(sub_lts *s) { vec_release(s->m, &s->kept); }

/* ---- sorting ------------------------------------------------------------------------------- */

static int compare_numbers(uint32_t x, uint32_t y) { return (x > y) - (x < y); }

static int compare_edges(const void *a, const void *b)
{
    const sub_lts_edge *x = a, *y = b;
    int c = compare_numbers(x->from, y->from);
    return c ? c : compare_numbers(x->place, y->place);
}

static int compare_states(const void *a, const void *b)
{
    return compare_numbers(*(const state_id *)a, *(const state_id *)b);
}

static void sort_once(sub_lts *s)
{
    size_t n = 0;
    if (s->kept.count == 0) return;
    qsort(s->kept.at, s->kept.count, sizeof *s->kept.at, compare_edges);
    for (size_t i = 0; i < s->kept.count; i++)
        if (n == 0 || compare_edges(&s->kept.at[i], &s->kept.at[n - 1]) != 0)
            s->kept.at[n++] = s->kept.at[i];
    s->kept.count = n;
}

static int collect_states(const sub_lts *s, numbering *n, err *e)
{
    size_t count = s->kept.count + 1, unique = 0;
    if (vec_reserve(s->m, &n->state, count, e) != 0 ||
        vec_reserve(s->m, &n->number, count, e) != 0)
        return (int)e->code;
    n->state.at[0] = s->initial;
    for (size_t i = 1; i < count; i++) n->state.at[i] = s->kept.at[i - 1].to;
    qsort(n->state.at, count, sizeof *n->state.at, compare_states);
    for (size_t i = 0; i < count; i++)
        if (unique == 0 || n->state.at[i] != n->state.at[unique - 1])
            n->state.at[unique++] = n->state.at[i];
    n->state.count = n->number.count = unique;
    for (size_t i = 0; i < unique; i++) n->number.at[i] = 0;
    return 0;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Where the kept transitions of states from `from` on begin. */
static size_t find(const sub_lts *s, uint64_t from)
{
    size_t lo = 0, hi = s->kept.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->kept.at[mid].from < from) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static uint32_t *number_of(const numbering *n, state_id state)
{
    const state_id *at =
        bsearch(&state, n->state.at, n->state.count, sizeof *n->state.at, compare_states);
    return &n->number.at[at - n->state.at];
}

static int reach(const sub_lts *s, numbering *n, state_id state, err *e)
{
    uint32_t *number = number_of(n, state);
    if (*number != 0) return 0;
    *number = (uint32_t)n->order.count + 1;
    return vec_push(s->m, &n->order, state, e);
}

static int number_states(const sub_lts *s, numbering *n, err *e)
{
    reach(s, n, s->initial, e);
    for (size_t i = 0; i < n->order.count && e->code == ERR_NONE; i++) {
        uint64_t from = n->order.at[i];
        size_t begin = find(s, from), end = find(s, from + 1);
        n->transitions += end - begin;
        for (size_t k = begin; k < end && e->code == ERR_NONE; k++)
            reach(s, n, s->kept.at[k].to, e);
    }
    return (int)e->code;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int put_state(const sub_lts *s, const numbering *n, size_t i, lts_sink *to, err *e)
{
    uint64_t from = n->order.at[i];
    size_t end = find(s, from + 1);
    for (size_t k = find(s, from); k < end && e->code == ERR_NONE; k++) {
        const sub_lts_edge *t = &s->kept.at[k];
        lts_sink_put(to, (state_id)i, t->label, *number_of(n, t->to) - 1, e);
    }
    return (int)e->code;
}

static int write_states(const sub_lts *s, const numbering *n, const char *path, err *e)
{
    lts_shape shape = { .states = (state_id)n->order.count,
                        .transitions = n->transitions,
                        .labels = s->labels };
    lts_sink *to = NULL;
    if (lts_file_sink(&to, s->m, path, &shape, e) != 0) return (int)e->code;
    for (size_t i = 0; i < n->order.count && e->code == ERR_NONE; i++)
        put_state(s, n, i, to, e);
    if (e->code == ERR_NONE) lts_sink_commit(to, e);
    lts_sink_close(to);
    return (int)e->code;
}

int sub_lts_write(sub_lts *s, const char *path, err *e)
{
    numbering n = { .transitions = 0 };
    sort_once(s);
    if (collect_states(s, &n, e) == 0 && number_states(s, &n, e) == 0)
        write_states(s, &n, path, e);
    vec_release(s->m, &n.state);
    vec_release(s->m, &n.number);
    vec_release(s->m, &n.order);
    return (int)e->code;
}
