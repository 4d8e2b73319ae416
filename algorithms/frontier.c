#include "algorithms/frontier.h"

void frontier_release(frontier *f, mem *m)
{
    mem_put(m, f->queue, f->room * sizeof *f->queue);
    f->queue = NULL;
    f->room = 0;
}

int frontier_grow(frontier *f, mem *m, err *e)
{
    frontier wider = *f;
    wider.room = f->room ? 2 * f->room : 4 * FRONTIER_ROOM;
    wider.queue = mem_get_array(m, wider.room, sizeof *wider.queue, e);
    if (wider.queue == NULL) return (int)e->code;
    for (size_t i = f->head; i < f->tail; i++)
        wider.queue[i & (wider.room - 1)] = frontier_get(f, i);
    frontier_release(f, m);
    f->queue = wider.queue;
    f->room = wider.room;
    return 0;
}
