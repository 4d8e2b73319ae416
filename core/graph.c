#include "core/graph.h"

#include <stdio.h>

uint32_t graph_block_of(const graph *g, vertex_id v)
{
    uint32_t lo = 0, hi = g->block_count - 1;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (v < g->blocks[mid].end) hi = mid;
        else lo = mid + 1;
    }
    return lo;
}

/* Pure is said of one operator, so only that shape is promised with it. */
unsigned graph_shape_promise(const graph_shape *s, graph_sign sign)
{
    bool constants = !s->leads[GRAPH_OR] && !s->leads[GRAPH_AND];
    if (constants ? sign == GRAPH_MU : !s->leads[GRAPH_AND])
        return GRAPH_DISJUNCTIVE | GRAPH_PURE;
    if (!s->leads[GRAPH_OR]) return GRAPH_CONJUNCTIVE | GRAPH_PURE;
    return (s->many[GRAPH_AND] ? 0u : GRAPH_DISJUNCTIVE) |
           (s->many[GRAPH_OR] ? 0u : GRAPH_CONJUNCTIVE);
}

const char *graph_kind_name(const graph_block *b)
{
    if (graph_is_nested(b)) return b->sign == GRAPH_NU ? "buchi" : "cobuchi";
    return b->sign == GRAPH_NU ? "nu" : "mu";
}

void graph_name_block(const graph *g, uint32_t block, char *into, size_t bytes)
{
    if (g->class->name_block) g->class->name_block(g, block, into, bytes);
    else snprintf(into, bytes, "%u", block);
}
