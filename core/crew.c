/*
 * crew - tickets for members.
 *
 * Idea       Every thread has a list of members, t, t + lists, t + 2 * lists, ...: it takes those
 *            first, step after step, so that what they touch stays in its cache; then it
 *            takes what others have left.  A list is one word: the number of the step, and how many
 *            of its members were taken.  To take one is to add one to it; what was there before
 *            tells the member.
 * Invariant  A step's work is written before the lists are, and replaced only when all its members
 *            are done: whoever holds a member reads the work that belongs to it, however late
 *            he comes.
 */
#include "core/crew.h"

#include "core/backoff.h"

#include <omp.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { LISTS_MAX = 256 }; /* more threads share them */

typedef struct crew_list {
    alignas(64) _Atomic uint64_t tickets; /* step << 32, and members taken or asked for */
} crew_list;

struct crew {
    uint32_t members, lists;
    void *self;
    crew_step *_Atomic step; /* of the step under way */
    _Atomic uint64_t begun;  /* its number */
    _Atomic uint32_t done;   /* members that are done in it */
    _Atomic bool over;       /* all go home */
    crew_list list[LISTS_MAX];
};

static void play_list(crew *c, uint32_t list)
{
    for (;;) {
        _Atomic uint64_t *tickets = &c->list[list].tickets;
        uint64_t ticket = atomic_fetch_add_explicit(tickets, 1, memory_order_acq_rel);
        uint64_t member = list + (ticket & UINT32_MAX) * c->lists;
        if (member >= c->members) return;
        crew_step *step = atomic_load_explicit(&c->step, memory_order_relaxed);
        step(c->self, (uint32_t)member);
        atomic_fetch_add_explicit(&c->done, 1, memory_order_release);
    }
}

static void play(crew *c, uint32_t thread)
{
    for (uint32_t i = 0; i < c->lists; i++) play_list(c, (thread + i) % c->lists);
}

void crew_do(crew *c, crew_step *step)
{
    uint64_t number = atomic_load_explicit(&c->begun, memory_order_relaxed) + 1;
    atomic_store_explicit(&c->step, step, memory_order_relaxed);
    atomic_store_explicit(&c->done, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < c->lists; i++)
        atomic_store_explicit(&c->list[i].tickets, number << 32, memory_order_release);
    atomic_store_explicit(&c->begun, number, memory_order_release);
    play(c, 0);
    backoff b = BACKOFF_INIT;
    while (atomic_load_explicit(&c->done, memory_order_acquire) < c->members)
        backoff_wait(&b);
}

static void serve(crew *c, uint32_t thread)
{
    uint64_t seen = 0; /* number of the last step looked at */
    backoff b = BACKOFF_INIT;
    while (!atomic_load_explicit(&c->over, memory_order_acquire)) {
        uint64_t number = atomic_load_explicit(&c->begun, memory_order_acquire);
        if (number == seen) {
            backoff_wait(&b);
            continue;
        }
        seen = number;
        play(c, thread);
        b = BACKOFF_INIT;
    }
}

void crew_run(uint32_t threads, uint32_t members, void (*lead)(crew *c, void *self),
              void *self)
{
    crew c = { .members = members, .self = self };
    c.lists = threads < LISTS_MAX ? threads : LISTS_MAX;
#pragma omp parallel num_threads((int)threads)
    if (omp_get_thread_num() != 0) serve(&c, (uint32_t)omp_get_thread_num());
    else {
        lead(&c, self);
        atomic_store_explicit(&c.over, true, memory_order_release);
    }
}
