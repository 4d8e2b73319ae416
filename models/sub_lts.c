#include "models/sub_lts.h"

#include "models/lts_file.h"

#include <stdlib.h>

/* The states that are reached, with their new numbers. */
typedef struct numbering {
    state_id *number; /* per state of the whole: its number + 1 */
    VEC(state_id) order;
    uint64_t transitions; /* kept ones that leave them */
} numbering;

int sub_lts_add(sub_lts *s, uint64_t transition, err *e)
{
    return vec_push(s->m, &s->kept, transition, e);
}

void sub_lts_release(sub_lts *s) { vec_release(s->m, &s->kept); }

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(sub_lts *s)
{
    size_t n = 0;
    if (s->kept.count == 0) return;
    qsort(s->kept.at, s->kept.count, sizeof *s->kept.at, compare);
    for (size_t i = 0; i < s->kept.count; i++)
        if (n == 0 || s->kept.at[i] != s->kept.at[n - 1]) s->kept.at[n++] = s->kept.at[i];
    s->kept.count = n;
}

/* Where the kept transitions from number `from` on begin. */
static size_t find(const sub_lts *s, uint64_t from)
{
    size_t lo = 0, hi = s->kept.count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (s->kept.at[mid] < from) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

static int reach(const sub_lts *s, numbering *n, state_id state, err *e)
{
    if (n->number[state] != 0) return 0;
    n->number[state] = (state_id)n->order.count + 1;
    return vec_push(s->m, &n->order, state, e);
}

static int number_states(const sub_lts *s, numbering *n, err *e)
{
    const lts *g = s->whole;
    reach(s, n, g->initial, e);
    for (size_t i = 0; i < n->order.count && e->code == ERR_NONE; i++) {
        state_id from = n->order.at[i];
        size_t begin = find(s, g->first[from]), end = find(s, g->first[from + 1]);
        n->transitions += end - begin;
        for (size_t k = begin; k < end && e->code == ERR_NONE; k++)
            reach(s, n, g->target[s->kept.at[k]], e);
    }
    return (int)e->code;
}

static int put_state(const sub_lts *s, const numbering *n, size_t i, lts_sink *to, err *e)
{
    const lts *g = s->whole;
    size_t k = find(s, g->first[n->order.at[i]]);
    size_t end = find(s, g->first[n->order.at[i] + 1]);
    for (; k < end && e->code == ERR_NONE; k++) {
        uint64_t t = s->kept.at[k];
        lts_sink_put(to, (state_id)i, lts_label(g, t), n->number[g->target[t]] - 1, e);
    }
    return (int)e->code;
}

static int write_states(const sub_lts *s, const numbering *n, const char *path, err *e)
{
    lts_shape shape = { .states = (state_id)n->order.count,
                        .transitions = n->transitions,
                        .labels = s->whole->labels };
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
    size_t states = s->whole->states;
    numbering n = { .number = mem_get_array(s->m, states, sizeof *n.number, e) };
    sort_once(s);
    if (n.number && number_states(s, &n, e) == 0) write_states(s, &n, path, e);
    mem_put(s->m, n.number, states * sizeof *n.number);
    vec_release(s->m, &n.order);
    return (int)e->code;
}
