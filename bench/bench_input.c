#include "bench/bench_input.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEAR = 20000 };

static int name_labels(lts *g, err *e)
{
    if (label_table_open(&g->labels, g->m, e) != 0) return (int)e->code;
    for (int i = 0; i < BENCH_LABELS; i++) {
        char name[16];
        label_id id;
        int n = i == 0 ? snprintf(name, sizeof name, "i")
                       : snprintf(name, sizeof name, "GET !%d", i);
        if (label_table_put(g->labels, name, (size_t)n, &id, e) != 0) return (int)e->code;
    }
    return 0;
}

/* The first transition of a state leads to the next state, the others nearby. */
static void fill(lts *g)
{
    random_stream chance = random_open(1, 0);
    for (uint64_t t = 0, s = 0; t < g->transitions; t++) {
        uint64_t from = t * g->states / g->transitions;
        bool first = t == 0 || from != s;
        for (; s < from; s++) g->first[s + 1] = t;
        uint64_t to = first ? from + 1 : from + random_below(&chance, NEAR);
        g->target[t] = (state_id)(to % g->states);
        lts_set_label(g, t, (label_id)random_below(&chance, BENCH_LABELS));
    }
    g->first[g->states] = g->transitions;
}

int bench_input_lts(lts *out, mem *m, err *e)
{
    *out = (lts){ .m = m, .states = BENCH_STATES, .transitions = BENCH_TRANSITIONS };
    out->label_bytes = 1;
    if (lts_allocate(out, e) == 0 && name_labels(out, e) == 0) fill(out);
    if (e->code != ERR_NONE) lts_close(out);
    return (int)e->code;
}

/* Transition numbers in ascending order, or in a random one. */
static void choose_order(uint32_t *order, uint64_t count, bool shuffled)
{
    random_stream chance = random_open(1, 1);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = (uint32_t)count; shuffled && i > 1; i--) {
        uint32_t k = (uint32_t)random_below(&chance, i), keep = order[i - 1];
        order[i - 1] = order[k];
        order[k] = keep;
    }
}

static void print(FILE *f, const lts *g, const uint32_t *order, const state_id *from)
{
    fprintf(f, "des (0, %llu, %u)\n", (unsigned long long)g->transitions, g->states);
    for (uint64_t i = 0; i < g->transitions; i++) {
        uint32_t t = order[i];
        fprintf(f, "(%u,\"%s\",%u)\n", from[t],
                label_table_text(g->labels, lts_label(g, t), NULL), g->target[t]);
    }
}

static void list_sources(const lts *g, state_id *from)
{
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++) from[t] = s;
}

int bench_input_aut(char path[64], bool shuffled, mem *m, err *e)
{
    lts g;
    if (bench_input_lts(&g, m, e) != 0) return (int)e->code;
    size_t bytes = g.transitions * sizeof(uint32_t);
    uint32_t *order = mem_get(m, bytes, e);
    state_id *from = mem_get(m, bytes, e);
    snprintf(path, 64, "/tmp/bespoke-bench-XXXXXX");
    int fd = order && from ? mkstemp(path) : -1;
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (f) {
        choose_order(order, g.transitions, shuffled);
        list_sources(&g, from);
        print(f, &g, order, from);
    }
    if (f == NULL || fclose(f) != 0)
        err_set(e, ERR_SYSTEM, "cannot write a temporary file in /tmp");
    mem_put(m, order, bytes);
    mem_put(m, from, bytes);
    lts_close(&g);
    return (int)e->code;
}
