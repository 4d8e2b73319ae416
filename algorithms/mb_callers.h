/*
 * mb_callers.h - for each vertex, who waits for its value on other workers.
 *
 * One log of dependencies, of all other workers.  Their requests come in batches, so that long
 * stretches of the log are of one worker; where they begin is a list of its own.  And those of one
 * vertex for its successors here stand one behind the other, so it is named once for them.
 */
#ifndef BESPOKE_MB_CALLERS_H
#define BESPOKE_MB_CALLERS_H

#include "algorithms/dependencies.h"
#include "core/ids.h"
#include "core/vec.h"

/* From this place of the log on, callers are of this worker. */
typedef struct mb_stretch {
    uint32_t place;
    worker_id worker;
} mb_stretch;

typedef struct mb_callers {
    dependencies log; /* names are references; the head is borrowed */
    VEC(mb_stretch) stretches;
} mb_callers;

typedef struct mb_caller {
    worker_id worker;
    uint32_t ref; /* below 2^31 */
} mb_caller;

int mb_callers_open(mb_callers *c, mem *m, uint32_t *head, err *e);
void mb_callers_close(mb_callers *c);

/** Those that are added from now on are of another worker than before. */
int mb_callers_turn(mb_callers *c, worker_id worker, err *e);

/** A caller for a vertex.  0 or ERR_LIMIT. */
static inline int mb_callers_add(mb_callers *c, uint32_t vertex, mb_caller who, err *e)
{
    size_t n = c->stretches.count;
    if ((n == 0 || c->stretches.at[n - 1].worker != who.worker) &&
        mb_callers_turn(c, who.worker, e) != 0)
        return (int)e->code;
    return dependencies_add(&c->log, &vertex, 1, 0, who.ref, e);
}

/** The last caller of a vertex, still there; false when there are none left. */
bool mb_callers_look(const mb_callers *c, uint32_t vertex, mb_caller *who);

/** He is told. */
static inline void mb_callers_drop(mb_callers *c, uint32_t vertex)
{
    dependencies_drop(&c->log, vertex);
}

#endif
