#include "core/lts.h"

#include <sys/mman.h>

int lts_allocate(lts *g, err *e)
{
    g->first = mem_get_array(g->m, (size_t)g->states + 1, sizeof *g->first, e);
    if (g->first) g->target = mem_get_array(g->m, g->transitions, sizeof *g->target, e);
    if (g->target) g->label = mem_get_array(g->m, g->transitions, g->label_bytes, e);
    return (int)e->code;
}

void lts_close(lts *g)
{
    label_table_close(g->labels);
    if (g->map) {
        munmap(g->map, g->map_bytes);
    } else {
        mem_put(g->m, g->first, ((size_t)g->states + 1) * sizeof *g->first);
        mem_put(g->m, g->target, g->transitions * sizeof *g->target);
        mem_put(g->m, g->label, g->transitions * g->label_bytes);
    }
    *g = (lts){ .m = g->m };
}

uint64_t lts_longest_row(const lts *g)
{
    uint64_t longest = 0;
    for (state_id s = 0; s < g->states; s++)
        if (g->first[s + 1] - g->first[s] > longest)
            longest = g->first[s + 1] - g->first[s];
    return longest;
}
