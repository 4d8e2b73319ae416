/*
 * turnstile.h - numbered work done by many threads at once passes one point in order.
 *
 * Threads take numbers 0, 1, 2, ... elsewhere, in ascending order, and work in parallel;
 * what must happen in that order happens between turnstile_wait and turnstile_pass.  When
 * somebody stops it, everybody behind is turned away, everybody before still passes: so
 * the first failure in the order is the one that counts, whoever met it.
 */
#ifndef BESPOKE_TURNSTILE_H
#define BESPOKE_TURNSTILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct turnstile {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t turn; /* whose turn it is */
    bool stopped;  /* nobody passes any more */
} turnstile;

void turnstile_open(turnstile *t);
void turnstile_close(turnstile *t);

/** Wait for all smaller numbers to pass.  true: it is our turn; false: it was stopped. */
bool turnstile_wait(turnstile *t, uint64_t number);

/** Our turn is over: the next number may pass, or (stop, at any time) nobody. */
void turnstile_pass(turnstile *t);
void turnstile_stop(turnstile *t);

#endif
