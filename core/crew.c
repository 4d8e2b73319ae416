#include "core/crew.h"

#include "core/backoff.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct crew {
    uint32_t members;
    uint32_t threads; /* that there are; thread t plays members t, t + threads, ... */
    void *self;
    crew_step *step;        /* of the step under way; NULL: all go home */
    _Atomic uint32_t begun; /* steps; written by the leader */
    _Atomic uint32_t
        done; /* threads that have ended the step, the leader not among them */
};

static void play(const crew *c, uint32_t thread)
{
    for (uint32_t m = thread; m < c->members; m += c->threads) c->step(c->self, m);
}

void crew_do(crew *c, crew_step *step)
{
    c->step = step;
    atomic_store_explicit(&c->done, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->begun, 1, memory_order_release);
    if (step) play(c, 0);
    backoff b = BACKOFF_INIT;
    while (atomic_load_explicit(&c->done, memory_order_acquire) + 1 < c->threads)
        backoff_wait(&b);
}

static void serve(crew *c, uint32_t thread)
{
    for (uint32_t step = 1;; step++) {
        backoff b = BACKOFF_INIT;
        while (atomic_load_explicit(&c->begun, memory_order_acquire) != step)
            backoff_wait(&b);
        bool over = c->step == NULL;
        if (!over) play(c, thread);
        atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
        if (over) return;
    }
}

void crew_run(uint32_t members, void (*lead)(crew *c, void *self), void *self)
{
    crew c = { .members = members, .self = self };
#pragma omp parallel num_threads((int)members)
    {
#pragma omp single
        c.threads = (uint32_t)omp_get_num_threads(); /* all wait here until it is known */
        uint32_t thread = (uint32_t)omp_get_thread_num();
        if (thread != 0) serve(&c, thread);
        else {
            lead(&c, self);
            crew_do(&c, NULL);
        }
    }
}
