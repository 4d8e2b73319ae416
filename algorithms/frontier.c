#include "algorithms/frontier.h"

void frontier_release(frontier *f, mem *m)
{
    mem_put(m, f->queue, f->room * sizeof *f->queue);
    f->queue = NULL;
    f->room = 0;
}

int frontier_grow(frontier *f, mem *m, err *e)
{
    size_t room = f->room ? 2 * f->room : 4 * FRONTIER_ROOM;
    vertex_id *queue = mem_get_array(m, room, sizeof *queue, e);
    if (queue == NULL) return (int)e->code;
    for (size_t i = f->head; i < f->tail; i++) queue[i & (room - 1)] = frontier_get(f, i);
    frontier_release(f, m);
    f->queue = queue;
    f->room = room;
    return 0;
}
