#include "algorithms/dependencies.h"

#define ENTRIES_MAX (UINT32_MAX - 1)

static size_t bytes_of(uint32_t room) { return (size_t)room * DEPENDENCIES_ENTRY + 1; }

int dependencies_open(dependencies *d, mem *m, uint32_t vertices, err *e)
{
    *d = (dependencies){ .m = m, .vertices = vertices };
    d->head = mem_get_array(m, vertices, sizeof *d->head, e);
    return d->head ? dependencies_grow(d, e) : (int)e->code;
}

void dependencies_close(dependencies *d)
{
    if (d->m == NULL) return;
    mem_put(d->m, d->head, (size_t)d->vertices * sizeof *d->head);
    if (d->log) mem_put(d->m, d->log, bytes_of(d->room));
    *d = (dependencies){ .m = NULL };
}

/* By a quarter: pages are moved, not copied, so there is no need to double. */
int dependencies_grow(dependencies *d, err *e)
{
    uint64_t wider = (uint64_t)d->room + d->room / 4 + 256;
    if (wider > ENTRIES_MAX) wider = ENTRIES_MAX;
    if (wider - d->count < 2)
        return err_set(e, ERR_LIMIT, "more than 2^32 dependencies in one block");
    size_t old_bytes = d->log ? bytes_of(d->room) : 0;
    void *log = mem_resize(d->m, d->log, old_bytes, bytes_of((uint32_t)wider), e);
    if (log == NULL) return (int)e->code;
    d->log = log;
    d->room = (uint32_t)wider;
    return 0;
}
