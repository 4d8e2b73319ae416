#include "algorithms/mb_callers.h"

int mb_callers_open(mb_callers *c, mem *m, uint32_t *head, err *e)
{
    *c = (mb_callers){ .log = { .m = m, .head = head, .count = 1 } };
    return head ? dependencies_grow(&c->log, 0, e) : 0;
}

void mb_callers_close(mb_callers *c)
{
    mem *m = c->log.m;
    if (m == NULL) return;
    mem_put(m, c->log.log, c->log.room * sizeof *c->log.log);
    vec_release(m, &c->stretches);
    *c = (mb_callers){ .log = { .m = NULL } };
}

/* A name from before belongs to the worker before. */
int mb_callers_turn(mb_callers *c, worker_id worker, err *e)
{
    mb_stretch next = { c->log.count, worker };
    c->log.named = 0;
    return vec_push(c->log.m, &c->stretches, next, e);
}

/* The last stretch that begins at this place or before. */
static worker_id worker_at(const mb_callers *c, uint32_t place)
{
    size_t low = 0, high = c->stretches.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->stretches.at[middle].place <= place) low = middle;
        else high = middle;
    }
    return c->stretches.at[low].worker;
}

bool mb_callers_look(const mb_callers *c, uint32_t vertex, mb_caller *who)
{
    uint32_t place = c->log.head[vertex];
    if (!dependencies_look(&c->log, vertex, &who->ref)) return false;
    who->worker = worker_at(c, place);
    return true;
}
