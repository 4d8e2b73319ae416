#include "core/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REDRAW_US = 200 * 1000, LINE_US = 10 * 1000 * 1000 };

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int64_t clock_us(void) { return (int64_t)(clock_seconds() * 1e6); }

static void name_phase(progress *p, const char *what, const char *unit, uint64_t total)
{
    p->what = what;
    p->unit = unit;
    p->total = total;
    p->words = NULL;
}

bool progress_on_terminal(void)
{
    const char *told = getenv(PROGRESS_STDERR);
    return told ? strcmp(told, "terminal") == 0 : isatty(STDERR_FILENO) != 0;
}

void progress_open(progress *p, progress_mode mode, double timeout)
{
    *p = (progress){ .terminal = progress_on_terminal() };
    name_phase(p, "working", "steps", 0);
    p->show = mode == PROGRESS_ON || (mode == PROGRESS_AUTO && p->terminal);
    p->limit = timeout;
    p->deadline = timeout > 0 ? clock_seconds() + timeout : 0;
}

void progress_begin(progress *p, const char *what, const char *unit, uint64_t total)
{
    if (p == NULL) return;
    name_phase(p, what, unit, total);
    p->started = clock_seconds();
    p->next_us = clock_us() + (p->terminal ? REDRAW_US : LINE_US);
}

void progress_detail(progress *p, progress_words *words, const void *self)
{
    if (p == NULL) return;
    p->words = words;
    p->words_self = self;
}

static void draw(progress *p, uint64_t done)
{
    double seconds = clock_seconds() - p->started, rate = (double)done / seconds;
    char share[48] = "";
    if (p->total > 0 && done <= p->total)
        snprintf(share, sizeof share, " of %.1f M (%.0f %%, %.0f s left)",
                 (double)p->total * 1e-6, 100.0 * (double)done / (double)p->total,
                 rate > 0 ? (double)(p->total - done) / rate : 0.0);
    char words[128] = "";
    if (p->words) p->words(p->words_self, words, sizeof words);
    fprintf(stderr, "%sbespoke: %s: %.1f M %s%s, %.1f M/s%s%s%s",
            p->terminal ? "\r\033[K" : "", p->what, (double)done * 1e-6, p->unit, share,
            rate * 1e-6, *words ? ", " : "", words, p->terminal ? "" : "\n");
    p->drawn = p->terminal;
}

static int check_deadline(const progress *p, int64_t now, err *e)
{
    if (p->deadline == 0 || (double)now * 1e-6 <= p->deadline) return 0;
    return err_set(e, ERR_LIMIT, "time limit of %g s reached while %s", p->limit,
                   p->what);
}

int progress_check(const progress *p, err *e)
{
    return p == NULL || p->deadline == 0 ? 0 : check_deadline(p, clock_us(), e);
}

int progress_tick(progress *p, uint64_t done, err *e)
{
    if (p == NULL || (!p->show && p->deadline == 0)) return 0;
    int64_t now = clock_us(),
            due = atomic_load_explicit(&p->next_us, memory_order_relaxed);
    if (check_deadline(p, now, e) != 0) return (int)e->code;
    int64_t wait = p->terminal ? REDRAW_US : LINE_US;
    if (p->show && now >= due &&
        atomic_compare_exchange_strong(&p->next_us, &due, now + wait))
        draw(p, done); /* one thread wins the exchange and draws */
    return 0;
}

void progress_end(progress *p)
{
    if (p == NULL) return;
    name_phase(p, "working", "steps", 0); /* the phase's own words are gone */
    if (!p->drawn) return;
    fputs("\r\033[K", stderr);
    p->drawn = false;
}
