#include "tests/watch_graph.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 };

/* Mark what the root reaches over vertices that are not stable. */
static void mark_joined(watch_graph *w)
{
    size_t count = 0;
    memset(w->joined, 0, w->base.vertices);
    w->joined[w->base.root] = 1;
    w->stack[count++] = w->base.root;
    while (count > 0) {
        vertex_id v = w->stack[--count], to[ROOM];
        graph_row row = { .next = GRAPH_ROW_BEGIN };
        if (solution_is_stable(w->found, v)) continue;
        do {
            graph_expand(w->inner, v, row.next, to, ROOM, &row);
            for (uint32_t i = 0; i < row.count; i++) {
                if (w->joined[to[i]]) continue;
                w->joined[to[i]] = 1;
                w->stack[count++] = to[i];
            }
        } while (row.next != GRAPH_ROW_END);
    }
}

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    watch_graph *w = (watch_graph *)(uintptr_t)g;
    if (w->found && !w->expanded[v]) {
        w->expanded[v] = 1;
        mark_joined(w);
        if (!w->joined[v] || solution_is_stable(w->found, v)) w->strays++;
    }
    graph_expand(w->inner, v, place, buffer, room, out);
}

static const graph_class watch_class = { .name = "watch", .expand = expand };

void watch_graph_open(watch_graph *w, const graph *inner)
{
    *w = (watch_graph){ .base = *inner, .inner = inner };
    if (inner->block_count > WATCH_BLOCKS_MAX) abort();
    memcpy(w->blocks, inner->blocks, inner->block_count * sizeof *w->blocks);
    w->base.class = &watch_class;
    w->base.blocks = w->blocks;
    w->expanded = calloc(inner->vertices, 1);
    w->joined = calloc(inner->vertices, 1);
    w->stack = calloc(inner->vertices, sizeof *w->stack);
    if (!w->expanded || !w->joined || !w->stack) abort();
}

void watch_graph_close(watch_graph *w)
{
    free(w->expanded);
    free(w->joined);
    free(w->stack);
}
