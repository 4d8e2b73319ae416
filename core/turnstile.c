#include "core/turnstile.h"

void turnstile_open(turnstile *t)
{
    *t = (turnstile){ .turn = 0 };
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->moved, NULL);
}

void turnstile_close(turnstile *t)
{
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->moved);
}

bool turnstile_wait(turnstile *t, uint64_t number)
{
    pthread_mutex_lock(&t->lock);
    while (!t->stopped && t->turn != number) pthread_cond_wait(&t->moved, &t->lock);
    bool ours = !t->stopped;
    pthread_mutex_unlock(&t->lock);
    return ours;
}

static void move_on(turnstile *t, bool stop)
{
    pthread_mutex_lock(&t->lock);
    t->turn++;
    t->stopped = t->stopped || stop; /* for good */
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

void turnstile_pass(turnstile *t) { move_on(t, false); }

void turnstile_stop(turnstile *t) { move_on(t, true); }
