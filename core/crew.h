/*
 * crew.h - threads that do the same work together, step by step.
 *
 * One thread leads; a step is done by all of them at once, member number 0 being the leader,
 * and is over when the last one is done.  Between steps the others wait without a lock
 * (backoff.h), so that short steps cost little and a busy machine is not kept busier.
 *
 *     static void lead(crew *c, void *self) { while (more) { crew_do(c, expand); ... } }
 *     crew_run(4, lead, self);
 */
#ifndef BESPOKE_CREW_H
#define BESPOKE_CREW_H

#include <stdint.h>

typedef struct crew crew;

/* What a member does in a step; `self` is that of crew_run. */
typedef void crew_step(void *self, uint32_t member);

/** Run `lead` with a crew of `members` (> 0); blocks until it returns.  Where the machine
    gives fewer threads, each plays several members, one after the other. */
void crew_run(uint32_t members, void (*lead)(crew *c, void *self), void *self);

/** By the leader: a step of all members.  Blocks until it is over; what any of them wrote is
    seen by all afterwards. */
void crew_do(crew *c, crew_step *step);

#endif
