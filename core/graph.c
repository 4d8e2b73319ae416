#include "core/graph.h"

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
