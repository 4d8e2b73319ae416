/*
 * test_trail.c - a depth-first search over the trail meets what a naive one meets.
 */
#include "algorithms/trail.h"
#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 400, DEGREE = 40 };

/* A graph with rows of all lengths, some in stretches that are cut short. */
typedef struct random_graph {
    graph base;
    graph_block block;
    uint32_t degree[VERTICES];
    vertex_id to[VERTICES][DEGREE];
} random_graph;

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const random_graph *x = (const random_graph *)g;
    uint32_t left = x->degree[v] - place, most = (v + place) % 5; /* 0: none this time */
    uint32_t count = left < room ? left : room;
    if (place % 7 == 3 && count > most) count = most;
    if (count == 0 && left > 0) count = 1;
    memcpy(buffer, &x->to[v][place], count * sizeof *buffer);
    out->op = v % 2 ? GRAPH_AND : GRAPH_OR;
    out->count = count;
    out->next = count == left ? GRAPH_ROW_END : place + count;
}

static const graph_class random_class = { .name = "random", .expand = expand };

static void make_graph(random_graph *x, random_stream *r)
{
    uint32_t most = 1 + (uint32_t)random_below(r, DEGREE);
    for (vertex_id v = 0; v < VERTICES; v++) {
        x->degree[v] = (uint32_t)random_below(r, most + 1);
        for (uint32_t i = 0; i < x->degree[v]; i++)
            x->to[v][i] = (vertex_id)random_below(r, VERTICES);
        if (v + 1 < VERTICES && x->degree[v] > 0) x->to[v][0] = v + 1; /* deep */
    }
    x->block = (graph_block){ .end = VERTICES };
    x->base = (graph){ .class = &random_class, .vertices = VERTICES, .block_count = 1 };
    x->base.blocks = &x->block;
}

/* What a search does, in order: down to a vertex, back from one, past a known one. */
typedef struct diary {
    uint32_t line[VERTICES * (DEGREE + 2)];
    size_t count;
} diary;

static void note(diary *d, uint32_t what) { d->line[d->count++] = what; }

/* By the definition; graphs are small, so recursion will do. */
static void search_naively(const random_graph *x, vertex_id v, bool *seen, diary *d)
{
    seen[v] = true;
    note(d, v);
    for (uint32_t i = 0; i < x->degree[v]; i++) {
        vertex_id z = x->to[v][i];
        if (seen[z]) note(d, 2 * VERTICES + z);
        else search_naively(x, z, seen, d);
    }
    note(d, VERTICES + v);
}

static void search_by_trail(const random_graph *x, mem *m, bool *seen, diary *d)
{
    trail t;
    err e = ERR_INIT;
    uint8_t status[VERTICES] = { 0 };
    trail_open(&t, m, &x->base, (trail_columns){ status, NULL, 0, VERTICES });
    CU_ASSERT_EQUAL_FATAL(trail_push(&t, 0, &e), 0);
    seen[0] = true;
    note(d, 0);
    while (!trail_is_empty(&t)) {
        vertex_id y = trail_top(&t), z;
        CU_ASSERT_EQUAL_FATAL(trail_load(&t), y % 2 ? GRAPH_AND : GRAPH_OR);
        if (!trail_look(&t, &z)) {
            note(d, VERTICES + y);
            trail_pop(&t);
            continue;
        }
        trail_advance(&t);
        if (seen[z]) {
            note(d, 2 * VERTICES + z);
        } else {
            seen[z] = true;
            note(d, z);
            CU_ASSERT_EQUAL_FATAL(trail_push(&t, z, &e), 0);
        }
    }
    trail_close(&t);
}

static void every_step_is_that_of_a_naive_search(void)
{
    random_graph *x = malloc(sizeof *x);
    diary *ours = malloc(sizeof *ours), *right = malloc(sizeof *right);
    CU_ASSERT_FATAL(x && ours && right);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        mem m = MEM_INIT;
        random_stream r = random_open(seed, 1);
        bool seen[2][VERTICES] = { { false } };
        make_graph(x, &r);
        ours->count = right->count = 0;
        search_naively(x, 0, seen[0], right);
        search_by_trail(x, &m, seen[1], ours);
        bool same =
            ours->count == right->count &&
            memcmp(ours->line, right->line, ours->count * sizeof *ours->line) == 0;
        if (!same) printf("\nseed %llu\n", (unsigned long long)seed);
        CU_ASSERT_FATAL(same);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    free(x);
    free(ours);
    free(right);
}

CU_TestInfo test_trail[] = { { "every step is that of a naive search",
                               every_step_is_that_of_a_naive_search },
                             CU_TEST_INFO_NULL };
