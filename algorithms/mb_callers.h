/*
 * mb_callers.h - for each vertex, who waits for its value on other workers.
 *
 * One log of words, as in dependencies.h: a name, the worker, and behind it up to MB_CALLERS_RUN
 * pairs of a link, to the pair before it of the same vertex, and the caller's number there.
 */
#ifndef BESPOKE_MB_CALLERS_H
#define BESPOKE_MB_CALLERS_H

#include "core/ids.h"
#include "core/mem.h"

enum { MB_CALLERS_RUN = 16 };

#define MB_CALLERS_NAME 0x80000000u /* this word is a name */

typedef struct mb_callers {
    mem *m;
    uint32_t *head; /* borrowed; per vertex the place of its last pair, 0 = none left */
    uint32_t *log;  /* owned; word 0 is not used */
    uint32_t count, room, run;
    uint32_t named; /* the last name; 0: none yet */
} mb_callers;

typedef struct mb_caller {
    worker_id worker;
    uint32_t ref; /* below 2^31 */
} mb_caller;

/** Room for so many words more.  0 or ERR_LIMIT. */
int mb_callers_grow(mb_callers *c, uint32_t words, err *e);
void mb_callers_close(mb_callers *c);

/** A caller for a vertex.  0 or ERR_LIMIT. */
static inline int mb_callers_add(mb_callers *c, uint32_t vertex, mb_caller who, err *e)
{
    uint32_t name = who.worker | MB_CALLERS_NAME;
    if (c->room - c->count < 3 && mb_callers_grow(c, 3, e) != 0) return (int)e->code;
    if (c->named != name || c->run == MB_CALLERS_RUN) {
        c->log[c->count++] = c->named = name;
        c->run = 0;
    }
    c->log[c->count] = c->head[vertex];
    c->log[c->count + 1] = who.ref;
    c->head[vertex] = c->count;
    c->count += 2;
    c->run++;
    return 0;
}

/** The last caller of a vertex, still there; false when there are none left. */
static inline bool mb_callers_look(const mb_callers *c, uint32_t vertex, mb_caller *who)
{
    uint32_t place = c->head[vertex], name = place;
    if (place == 0) return false;
    while (!(c->log[name - 1] & MB_CALLERS_NAME)) name -= 2;
    *who = (mb_caller){ c->log[name - 1] & ~MB_CALLERS_NAME, c->log[place + 1] };
    return true;
}

/** He is told. */
static inline void mb_callers_drop(mb_callers *c, uint32_t vertex)
{
    c->head[vertex] = c->log[c->head[vertex]];
}

#endif
