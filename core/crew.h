/*
 * crew.h - threads that do the same work together, step by step.
 *
 * Work has members, each of which takes part in every step.  One thread leads; a step is played by
 * all threads at once, each taking the next member that nobody has taken yet, and is over when
 * the last one is done.  With more members than threads a thread that is held up, by
 * another job on its core or by the kernel, is not waited for long: the others take what is left.
 * Between steps threads wait without a lock (backoff.h), so that short steps cost little and a
 * busy machine is not kept busier.
 *
 *     static void lead(crew *c, void *self) { while (more) { crew_do(c, expand); ... } }
 *     crew_run(2, 8, lead, self);
 */
#ifndef BESPOKE_CREW_H
#define BESPOKE_CREW_H

#include <stdint.h>

typedef struct crew crew;

/* What a member does in a step; `self` is that of crew_run. */
typedef void crew_step(void *self, uint32_t member);

/** Run `lead` with `threads` (> 0) threads, or as many as the machine gives, for `members`
    members; blocks until it returns. */
void crew_run(uint32_t threads, uint32_t members, void (*lead)(crew *c, void *self),
              void *self);

/** By the leader: a step of all members.  Blocks until it is over; what any of them wrote is
    seen by all afterwards. */
void crew_do(crew *c, crew_step *step);

#endif
