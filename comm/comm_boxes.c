/*
 * comm_boxes - see comm_boxes.h.
 *
 * Invariant  A parcel is in one list.  Pushes of one thread are in order in the stack, and turning
 *            it over keeps the first pushed first.  As all is taken at once, no pop compares a
 *            pointer that might have come back meanwhile.
 * Cost       A compare-and-swap per parcel, an exchange per take; an empty look is one load.
 */
#include "comm/comm_boxes.h"

#include "core/backoff.h"

#include <omp.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Before it gives way a worker looks around so often; a look is a whole turn, much longer than the
   pause that backoff.h counts.  With more workers than cores it gives way at once and sleeps soon:
   who has slept is scheduled before those who have worked, who yields is not. */
enum { LOOKS = 100, YIELDS = 20, SLACK_NS = 1000 };

int comm_boxes_open(comm_boxes *b, worker_id first, uint32_t count, mem *m, err *e)
{
    size_t boxes = (size_t)count * COMM_BOX_COUNT * sizeof(comm_box);
    size_t bytes = boxes + alignof(comm_box) + count * sizeof(bool);
    *b = (comm_boxes){ .first = first, .count = count, .crowd = count, .m = m };
    b->block = mem_get(m, bytes, e);
    if (b->block == NULL) return (int)e->code;
    b->bytes = bytes;
    size_t past = (uintptr_t)b->block % alignof(comm_box);
    b->box =
        (comm_box *)(void *)((char *)b->block + (past ? alignof(comm_box) - past : 0));
    b->over = (bool *)b->box + boxes;
    return 0;
}

void comm_boxes_close(comm_boxes *b)
{
    mem_put(b->m, b->block, b->bytes);
    *b = (comm_boxes){ .m = b->m };
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

comm_parcel *comm_box_take(comm_box *b)
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

uint64_t comm_boxes_clock(void *self, worker_id me)
{
    (void)self;
    (void)me;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Linux adds fifty microseconds to every sleep unless told otherwise, more than a short one takes;
   a letter that goes from sleeper to sleeper would pay that at each. */
static void sleep_as_long_as_asked(void)
{
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, SLACK_NS);
#endif
}

/* Thread `thread` of `step` plays workers thread, thread + step, ... in turn, those that are over no
   more. */
/* Written once: neighbours who go on read its line. */
static void come_to_an_end(comm_boxes *b, uint32_t i)
{
    b->over[i] = true;
    atomic_fetch_sub_explicit(&b->left, 1, memory_order_release);
}

static void play(comm_boxes *b, backoff fresh, comm_turn_of *turn, void *run)
{
    uint32_t thread = (uint32_t)omp_get_thread_num(),
             step = (uint32_t)omp_get_num_threads();
    backoff wait = fresh;
    sleep_as_long_as_asked();
    while (atomic_load_explicit(&b->left, memory_order_acquire) > 0) {
        bool worked = false;
        for (uint32_t i = thread; i < b->count; i += step) {
            comm_turn did = turn(run, b->first + i);
            if (did == COMM_TURN_OVER && !b->over[i]) come_to_an_end(b, i);
            worked |= did == COMM_TURN_WORKED;
        }
        if (worked) wait = fresh;
        else backoff_wait(&wait);
    }
}

/* Whatever comes after the run has all cores again. */
static void play_bound(comm_boxes *b, backoff fresh, comm_turn_of *turn, void *run)
{
    void *before = comm_bind_enter(b->bind, b->seat + (uint32_t)omp_get_thread_num());
    play(b, fresh, turn, run);
    comm_bind_leave(before);
}

void comm_boxes_drive(comm_boxes *b, comm_turn_of *turn, void *run)
{
    bool crowded = b->crowd > (uint32_t)omp_get_num_procs();
    backoff fresh = { .waits = crowded ? BACKOFF_SPINS + BACKOFF_YIELDS - YIELDS
                                       : BACKOFF_SPINS - LOOKS };
    memset(b->over, 0, b->count * sizeof *b->over);
    atomic_store(&b->left, b->count);
#pragma omp parallel num_threads((int)b->count)
    play_bound(b, fresh, turn, run);
}
