#include "algorithms/mb_callers.h"

/* By a quarter: pages are moved, not copied. */
int mb_callers_grow(mb_callers *c, uint32_t words, err *e)
{
    uint64_t wider = (uint64_t)c->room + c->room / 4 + 256 + words;
    if (wider > MB_CALLERS_NAME)
        return err_set(e, ERR_LIMIT, "more than 2^31 words of dependencies of others");
    void *log =
        mem_resize(c->m, c->log, c->room * sizeof *c->log, wider * sizeof *c->log, e);
    if (log == NULL) return (int)e->code;
    c->log = log;
    c->room = (uint32_t)wider;
    if (c->count == 0) c->count = 1;
    return 0;
}

void mb_callers_close(mb_callers *c)
{
    mem_put(c->m, c->log, c->room * sizeof *c->log);
    c->log = NULL;
    c->room = 0;
}
