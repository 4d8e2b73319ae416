#include "algorithms/solution.h"

int solution_open(solution *s, mem *m, const graph *g, bool choices, err *e)
{
    *s = (solution){ .m = m, .g = g };
    graph_charge_add(&s->charge, sizeof *s->status);
    s->status =
        graph_column_open(g, m, g->vertices, sizeof *s->status, GRAPH_COLUMN_DENSE, e);
    if (s->status && choices) {
        graph_charge_add(&s->charge, sizeof *s->choice);
        s->choice = graph_column_open(g, m, g->vertices, sizeof *s->choice,
                                      GRAPH_COLUMN_DENSE, e);
    }
    if (e->code != ERR_NONE) solution_close(s);
    return (int)e->code;
}

void solution_close(solution *s)
{
    if (s->m == NULL) return;
    graph_column_close(s->g, s->m, s->status, s->g->vertices, sizeof *s->status);
    graph_column_close(s->g, s->m, s->choice, s->g->vertices, sizeof *s->choice);
    graph_charge_close(&s->charge, s->m);
    *s = (solution){ .m = NULL };
}

static void settle_range(solution *s, vertex_id begin, vertex_id end, bool value)
{
    for (vertex_id v = begin; v < end; v++)
        if ((s->status[v] & (SOLUTION_SEEN | SOLUTION_STABLE)) == SOLUTION_SEEN)
            solution_settle(s, v, value);
}

void solution_settle_seen(solution *s, const graph_block *b)
{
    const graph *g = s->g;
    for (vertex_id at = b->begin; at < b->end; at = graph_stretch_next(g, at, b->end))
        settle_range(s, at, graph_stretch_end(g, at, b->end), b->sign == GRAPH_NU);
}
