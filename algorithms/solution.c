#include "algorithms/solution.h"

int solution_open(solution *s, mem *m, vertex_id vertices, bool choices, err *e)
{
    *s = (solution){ .m = m, .vertices = vertices };
    s->status = mem_get_array(m, vertices, sizeof *s->status, e);
    if (s->status && choices)
        s->choice = mem_get_array(m, vertices, sizeof *s->choice, e);
    if (e->code != ERR_NONE) solution_close(s);
    return (int)e->code;
}

void solution_close(solution *s)
{
    if (s->m == NULL) return;
    mem_put(s->m, s->status, (size_t)s->vertices * sizeof *s->status);
    mem_put(s->m, s->choice, (size_t)s->vertices * sizeof *s->choice);
    *s = (solution){ .m = NULL };
}

void solution_settle_seen(solution *s, const graph_block *b)
{
    for (vertex_id v = b->begin; v < b->end; v++)
        if ((s->status[v] & (SOLUTION_SEEN | SOLUTION_STABLE)) == SOLUTION_SEEN)
            solution_settle(s, v, b->sign == GRAPH_NU);
}
