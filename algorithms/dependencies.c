#include "algorithms/dependencies.h"

int dependencies_open(dependencies *d, mem *m, const graph *g, uint32_t vertices, err *e)
{
    *d = (dependencies){ .m = m, .g = g, .vertices = vertices, .count = 1 };
    if (vertices > DEPENDENCIES_MAX)
        return err_set(e, ERR_LIMIT, "a block of %u vertices; expected at most %u",
                       vertices, DEPENDENCIES_MAX);
    d->head = graph_column_open(g, m, vertices, sizeof *d->head, GRAPH_COLUMN_DENSE, e);
    return d->head ? dependencies_grow(d, 0, e) : (int)e->code;
}

void dependencies_close(dependencies *d)
{
    if (d->m == NULL) return;
    graph_column_close(d->g, d->m, d->head, d->vertices, sizeof *d->head);
    mem_put(d->m, d->log, (size_t)d->room * sizeof *d->log);
    *d = (dependencies){ .m = NULL };
}

/* By a quarter: pages are moved, not copied, so there is no need to double. */
int dependencies_grow(dependencies *d, uint32_t words, err *e)
{
    uint64_t wider = (uint64_t)d->room + d->room / 4 + 256 + words;
    if (wider > DEPENDENCIES_MAX) wider = DEPENDENCIES_MAX;
    if (wider - d->count < words)
        return err_set(e, ERR_LIMIT, "more than 2^31 words of dependencies in a block");
    void *log =
        mem_resize(d->m, d->log, d->room * sizeof *d->log, wider * sizeof *d->log, e);
    if (log == NULL) return (int)e->code;
    d->log = log;
    d->room = (uint32_t)wider;
    return 0;
}
