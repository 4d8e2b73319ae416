/*
 * crew - tickets for members.
 *
 * Idea       One word holds the number of the step and how many of its members were taken.  To
 *            take one is to add one to it; what was there before tells the step and the member.
 * Invariant  A step's work is written before its number, and replaced only when all its members
 *            are done: whoever holds a member reads the work that belongs to it, however late
 *            he comes.
 */
#include "core/crew.h"

#include "core/backoff.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <omp.h>

struct crew {
    uint32_t members;
    void *self;
    crew_step *_Atomic step;  /* of the step under way */
    _Atomic uint64_t tickets; /* its number << 32, and members taken or asked for */
    _Atomic uint32_t done;    /* members that are done in it */
    _Atomic bool over;        /* all go home */
};

/* Take members until there are none left. */
static void play(crew *c)
{
    for (;;) {
        uint64_t ticket = atomic_fetch_add_explicit(&c->tickets, 1, memory_order_acq_rel);
        if ((uint32_t)ticket >= c->members) return;
        crew_step *step = atomic_load_explicit(&c->step, memory_order_relaxed);
        step(c->self, (uint32_t)ticket);
        atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
    }
}

void crew_do(crew *c, crew_step *step)
{
    uint64_t number = atomic_load_explicit(&c->tickets, memory_order_relaxed) >> 32;
    atomic_store_explicit(&c->step, step, memory_order_relaxed);
    atomic_store_explicit(&c->done, 0, memory_order_relaxed);
    atomic_store_explicit(&c->tickets, (number + 1) << 32, memory_order_release);
    play(c);
    backoff b = BACKOFF_INIT;
    while (atomic_load_explicit(&c->done, memory_order_acquire) < c->members)
        backoff_wait(&b);
}

static void serve(crew *c)
{
    uint64_t seen = 0; /* number of the last step looked at */
    backoff b = BACKOFF_INIT;
    while (!atomic_load_explicit(&c->over, memory_order_acquire)) {
        uint64_t number = atomic_load_explicit(&c->tickets, memory_order_acquire) >> 32;
        if (number == seen) {
            backoff_wait(&b);
            continue;
        }
        seen = number;
        play(c);
        b = BACKOFF_INIT;
    }
}

void crew_run(uint32_t threads, uint32_t members, void (*lead)(crew *c, void *self),
              void *self)
{
    crew c = { .members = members, .self = self };
#pragma omp parallel num_threads((int)threads)
    if (omp_get_thread_num() != 0) serve(&c);
    else {
        lead(&c, self);
        atomic_store_explicit(&c.over, true, memory_order_release);
    }
}
