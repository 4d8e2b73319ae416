/*
 * backoff.h - waiting without a lock: spin, then let others run, then sleep a little.
 *
 * Spinning answers in nanoseconds while everybody has a core; with more threads or processes
 * than cores it would keep the one that is waited for from running, so it ends soon.
 *
 *     backoff b = BACKOFF_INIT;
 *     while (!ready()) backoff_wait(&b);
 */
#ifndef BESPOKE_BACKOFF_H
#define BESPOKE_BACKOFF_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

typedef struct backoff {
    uint32_t waits; /* since something happened */
} backoff;

#define BACKOFF_INIT ((backoff){ .waits = 0 })

enum {
    BACKOFF_SPINS = 2000,       /* about ten microseconds */
    BACKOFF_YIELDS = 200,       /* then so many turns given to others */
    BACKOFF_SLEEP_FROM_US = 20, /* then sleeps, growing to */
    BACKOFF_SLEEP_TO_US = 500
};

static inline void backoff_sleep(uint32_t nth)
{
    uint32_t us = BACKOFF_SLEEP_FROM_US * (1 + nth / 8);
    if (us > BACKOFF_SLEEP_TO_US) us = BACKOFF_SLEEP_TO_US;
    struct timespec t = { .tv_nsec = (long)us * 1000 };
    nanosleep(&t, NULL);
}

static inline void backoff_wait(backoff *b)
{
    uint32_t n = b->waits;
    if (b->waits < UINT32_MAX) b->waits++;
    if (n < BACKOFF_SPINS) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    } else if (n < BACKOFF_SPINS + BACKOFF_YIELDS) sched_yield();
    else backoff_sleep(n - BACKOFF_SPINS - BACKOFF_YIELDS);
}

#endif
