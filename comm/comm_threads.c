/*
 * comm_threads - workers are threads of one process; parcels move by pointer.
 *
 * Idea       A mailbox per worker and lane, and one for what comes back: a stack that anybody pushes
 *            on and its worker takes whole, with one exchange, and turns over.
 * Invariant  A parcel is in one list.  Pushes of one thread are in order in the stack, and turning
 *            it over keeps the first pushed first.  As all is taken at once, no pop compares a
 *            pointer that might have come back meanwhile.
 * Cost       A compare-and-swap per parcel, an exchange per take; an empty look is one load.
 */
#include "comm/comm_transport.h"
#include "core/backoff.h"

#include <omp.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <time.h>

enum { BOXES = COMM_LANE_COUNT + 1, BACK = COMM_LANE_COUNT };

typedef struct mailbox {
    alignas(64) _Atomic(comm_parcel *) pushed; /* by anybody, the last on top */
    alignas(64) comm_parcel *first;            /* taken by its worker, in order */
} mailbox;

typedef struct threads {
    mailbox *box; /* workers * BOXES */
    void *block;  /* in which they lie, on a line */
    size_t bytes;
    uint32_t workers;
    mem *m;
} threads;

static void threads_close(void *self)
{
    threads *t = self;
    mem_put(t->m, t->block, t->bytes);
    mem_put(t->m, t, sizeof *t);
}

static int threads_open(void **self, uint32_t workers, const void *options, mem *m,
                        err *e)
{
    (void)options;
    threads *t = mem_get(m, sizeof *t, e);
    if (t == NULL) return (int)e->code;
    t->m = m;
    t->workers = workers;
    t->bytes = (size_t)workers * BOXES * sizeof(mailbox) + alignof(mailbox);
    t->block = mem_get(m, t->bytes, e);
    if (t->block == NULL) {
        t->bytes = 0;
        threads_close(t);
        return (int)e->code;
    }
    size_t past = (uintptr_t)t->block % alignof(mailbox);
    t->box = (mailbox *)(void *)((char *)t->block + (past ? alignof(mailbox) - past : 0));
    *self = t;
    return 0;
}

static mailbox *box_of(const threads *t, worker_id w, uint32_t which)
{
    return &t->box[(size_t)w * BOXES + which];
}

static void push(mailbox *b, comm_parcel *p)
{
    comm_parcel *top = atomic_load_explicit(&b->pushed, memory_order_relaxed);
    do p->next = top;
    while (!atomic_compare_exchange_weak_explicit(
        &b->pushed, &top, p, memory_order_release, memory_order_relaxed));
}

static comm_parcel *turn_over(comm_parcel *p)
{
    comm_parcel *first = NULL;
    while (p) {
        comm_parcel *below = p->next;
        p->next = first;
        first = p;
        p = below;
    }
    return first;
}

static comm_parcel *take(mailbox *b)
{
    if (b->first == NULL) {
        if (atomic_load_explicit(&b->pushed, memory_order_relaxed) == NULL) return NULL;
        b->first =
            turn_over(atomic_exchange_explicit(&b->pushed, NULL, memory_order_acquire));
    }
    comm_parcel *p = b->first;
    b->first = p->next;
    return p;
}

static void threads_post(void *self, comm_parcel *p)
{
    push(box_of(self, p->to, p->lane), p);
}

static comm_parcel *threads_arrived(void *self, worker_id me, comm_lane_id lane)
{
    return take(box_of(self, me, lane));
}

static void threads_give_back(void *self, comm_parcel *p)
{
    push(box_of(self, p->from, BACK), p);
}

static comm_parcel *threads_returned(void *self, worker_id me)
{
    return take(box_of(self, me, BACK));
}

static uint64_t threads_clock(void *self, worker_id me)
{
    (void)self;
    (void)me;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Thread `first` of `step` plays workers first, first + step, ... in turn, those that are over no
   more.  With more threads than cores, who waits gives way at once. */
static void play(uint32_t first, uint32_t step, const threads *t, comm_turn_of *turn,
                 void *run, bool *over)
{
    const backoff fresh = { .waits = step > (uint32_t)omp_get_num_procs() ? BACKOFF_SPINS
                                                                          : 0 };
    backoff b = fresh;
    for (uint32_t left = 1; left > 0;) {
        bool worked = false;
        left = 0;
        for (uint32_t w = first; w < t->workers; w += step) {
            if (over[w]) continue;
            comm_turn did = turn(run, w);
            over[w] = did == COMM_TURN_OVER;
            left += !over[w];
            worked |= did == COMM_TURN_WORKED;
        }
        if (worked) b = fresh;
        else if (left > 0) backoff_wait(&b);
    }
}

static int threads_drive(void *self, comm_turn_of *turn, void *run, err *e)
{
    threads *t = self;
    bool *over = mem_get_array(t->m, t->workers, sizeof *over, e);
    if (over == NULL) return (int)e->code;
#pragma omp parallel num_threads((int)t->workers)
    play((uint32_t)omp_get_thread_num(), (uint32_t)omp_get_num_threads(), t, turn, run,
         over);
    mem_put(t->m, over, t->workers * sizeof *over);
    return 0;
}

const comm_transport comm_threads = {
    .name = "threads",
    .doc = "workers are threads of one process",
    .open = threads_open,
    .close = threads_close,
    .post = threads_post,
    .arrived = threads_arrived,
    .give_back = threads_give_back,
    .returned = threads_returned,
    .clock = threads_clock,
    .drive = threads_drive,
};
