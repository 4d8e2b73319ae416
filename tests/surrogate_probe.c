#include "tests/surrogate_probe.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
    if (p == NULL) abort();
    return p;
}

/* ---- the sink -------------------------------------------------------------------------- */

static int put(lts_sink *s, state_id from, label_id label, state_id to, err *e)
{
    surrogate_probe *x = (surrogate_probe *)s;
    if (x->count == x->room) {
        x->room = 2 * x->room + 64;
        x->edges = must(realloc(x->edges, x->room * sizeof *x->edges));
    }
    if (x->count + 1 == x->fail_at) return err_set(e, ERR_SYSTEM, "the disk is full");
    x->edges[x->count++] = (probe_edge){ from, to, label };
    uint64_t words[] = { x->fingerprint, from, label, to };
    x->fingerprint = hash_file(words, sizeof words);
    return 0;
}

static const lts_sink_class probe_class = { .name = "probe", .put = put };

int surrogate_probe_fill(surrogate_probe *x, const surrogate_plan *p, size_t fail_at,
                         err *e)
{
    *x = (surrogate_probe){ .base.class = &probe_class, .fail_at = fail_at };
    if (surrogate_labels(&x->labels, p, e) != 0) return (int)e->code;
    x->shape = surrogate_shape(p, x->labels);
    return surrogate_write(p, &x->base, NULL, e);
}

void surrogate_probe_close(surrogate_probe *x)
{
    free(x->edges);
    label_table_close(x->labels);
}

/* ---- what was put ------------------------------------------------------------------------ */

typedef struct naive {
    const surrogate_probe *x;
    state_id states, reached;
    size_t *first;      /* of each state, one more at the end */
    uint32_t *level;    /* UINT32_MAX = not reached */
    uint32_t *tau_in;   /* hidden transitions into a state that are left */
    state_id *queue;    /*   */
    manifest_facts got; /* counted */
    uint32_t levels, deadlock_depth, livelock_depth;
    const char *fault;
} naive;

static void *column(state_id n, size_t size) { return must(calloc((size_t)n + 2, size)); }

static bool is_tau(const naive *n, size_t i)
{
    return n->x->edges[i].label == label_table_hidden(n->x->labels);
}

static void index_rows(naive *n)
{
    for (size_t i = 0; i < n->x->count; i++) {
        const probe_edge *t = &n->x->edges[i];
        if (t->from >= n->states || t->to >= n->states) n->fault = "a state out of range";
        else n->first[t->from + 1]++;
        if (i > 0 && t->from < t[-1].from) n->fault = "sources descend";
        if (t->label >= label_table_count(n->x->labels)) n->fault = "an unknown label";
    }
    for (state_id s = 0; s < n->states; s++) n->first[s + 1] += n->first[s];
}

/* Breadth-first; a state that is found must have the next number. */
static void search(naive *n)
{
    memset(n->level, 0xff, n->states * sizeof *n->level);
    n->level[0] = 0;
    n->queue[0] = 0;
    n->reached = 1;
    for (state_id i = 0; i < n->reached; i++) {
        state_id s = n->queue[i];
        if (n->first[s] == n->first[s + 1] && n->deadlock_depth == SURROGATE_NONE)
            n->deadlock_depth = n->level[s];
        for (size_t k = n->first[s]; k < n->first[s + 1]; k++) {
            state_id t = n->x->edges[k].to;
            if (n->level[t] != UINT32_MAX) continue;
            if (t != n->reached) n->fault = "states are not numbered breadth-first";
            n->level[t] = n->level[s] + 1;
            n->queue[n->reached++] = t;
        }
    }
    n->levels = n->level[n->queue[n->reached - 1]] + 1;
}

static int by_label_and_target(const void *a, const void *b)
{
    const probe_edge *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Sorted, equal labels of a state are neighbours. */
static void look_at_row(naive *n, state_id s)
{
    size_t degree = n->first[s + 1] - n->first[s];
    probe_edge *row = must(malloc((degree + 1) * sizeof *row));
    memcpy(row, n->x->edges + n->first[s], degree * sizeof *row);
    qsort(row, degree, sizeof *row, by_label_and_target);
    for (size_t i = 1; i < degree; i++) {
        if (row[i].label != row[i - 1].label) continue;
        if (row[i].to == row[i - 1].to) n->fault = "twice the same transition";
        else n->got.deterministic = false;
    }
    free(row);
    if (degree < n->got.branching_min) n->got.branching_min = (uint32_t)degree;
    if (degree > n->got.branching_max) n->got.branching_max = (uint32_t)degree;
    if (degree == 0) n->got.deadlock = true;
}

static void count_labels(naive *n)
{
    label_id count = label_table_count(n->x->labels);
    bool *used = column(count, sizeof *used);
    for (size_t i = 0; i < n->x->count; i++) {
        used[n->x->edges[i].label] = true;
        n->got.tau_transitions += is_tau(n, i);
    }
    label_id mark =
        label_table_find(n->x->labels, SURROGATE_LABEL, strlen(SURROGATE_LABEL));
    for (label_id l = 0; l < count; l++) n->got.labels += used[l];
    if (n->got.labels != count) n->fault = "a label that is not used";
    if (mark == LABEL_NONE || !used[mark]) n->fault = "the mark is missing";
    free(used);
}

/* Take away states that no hidden transition enters, and so on: cycles stay, and what lies
   behind them. */
static void strip_tau(naive *n)
{
    state_id have = 0;
    for (size_t i = 0; i < n->x->count; i++) n->tau_in[n->x->edges[i].to] += is_tau(n, i);
    for (state_id s = 0; s < n->states; s++)
        if (n->tau_in[s] == 0) n->queue[have++] = s;
    for (state_id i = 0; i < have; i++)
        for (size_t k = n->first[n->queue[i]]; k < n->first[n->queue[i] + 1]; k++)
            if (is_tau(n, k) && --n->tau_in[n->x->edges[k].to] == 0)
                n->queue[have++] = n->x->edges[k].to;
}

/* Does a hidden path lead from a state back to it? */
static bool is_on_cycle(naive *n, state_id start)
{
    bool *seen = column(n->states, sizeof *seen);
    state_id have = 1;
    n->queue[0] = start;
    for (state_id i = 0; i < have && !seen[start]; i++)
        for (size_t k = n->first[n->queue[i]]; k < n->first[n->queue[i] + 1]; k++) {
            state_id t = n->x->edges[k].to;
            if (!is_tau(n, k) || seen[t]) continue;
            seen[t] = true;
            if (t != start) n->queue[have++] = t;
        }
    bool found = seen[start];
    free(seen);
    return found;
}

static void find_livelock(naive *n)
{
    strip_tau(n);
    for (state_id s = 0; s < n->reached && n->livelock_depth == SURROGATE_NONE; s++)
        if (n->tau_in[s] > 0 && is_on_cycle(n, s)) n->livelock_depth = n->level[s];
    n->got.livelock = n->livelock_depth != SURROGATE_NONE;
}

static void find_out(naive *n)
{
    index_rows(n);
    if (n->fault) return;
    search(n);
    n->got = (manifest_facts){ .states = n->states,
                               .transitions = n->x->count,
                               .branching_min = UINT32_MAX,
                               .deterministic = true };
    for (state_id s = 0; s < n->states; s++) look_at_row(n, s);
    count_labels(n);
    find_livelock(n);
}

static const char *compare(const naive *n, const surrogate_summary *s)
{
    static const char *const columns[] = {
#define COLUMN(field) #field,
        MANIFEST_COLUMNS(COLUMN)
#undef COLUMN
    };
    char names[MANIFEST_DIFFERENCES_BYTES];
    if (n->fault) return n->fault;
    if (manifest_compare(&s->facts, &n->got, names) > 0)
        for (size_t i = 0; i < COUNT_OF(columns); i++)
            if (strncmp(names, columns[i], strcspn(names, " ")) == 0) return columns[i];
    if (n->reached != s->reachable) return "reachable states";
    if (n->levels != s->levels) return "levels";
    if (n->deadlock_depth != s->deadlock_depth) return "depth of the first deadlock";
    if (n->livelock_depth != s->livelock_depth) return "depth of the first livelock";
    return NULL;
}

const char *surrogate_probe_fault(const surrogate_probe *x, const surrogate_summary *s)
{
    naive n = { .x = x,
                .states = x->shape.states,
                .deadlock_depth = SURROGATE_NONE,
                .livelock_depth = SURROGATE_NONE };
    n.first = column(n.states, sizeof *n.first);
    n.level = column(n.states, sizeof *n.level);
    n.tau_in = column(n.states, sizeof *n.tau_in);
    n.queue = column(n.states, sizeof *n.queue);
    find_out(&n);
    const char *fault = compare(&n, s);
    if (x->count != x->shape.transitions) fault = "the shape's transitions";
    if (x->shape.initial != 0) fault = "the initial state";
    free(n.first);
    free(n.level);
    free(n.tau_in);
    free(n.queue);
    return fault;
}
