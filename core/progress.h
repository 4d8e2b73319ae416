/*
 * progress.h - long work shows that it lives, and ends when its time is up.
 *
 * The worker calls progress_tick often and cheaply; a line is printed by the clock, not by
 * the count: on a terminal one line, redrawn five times a second; elsewhere a line every
 * ten seconds.  The same tick is where --timeout is noticed, so that there is one place
 * to look at the time.
 */
#ifndef BESPOKE_PROGRESS_H
#define BESPOKE_PROGRESS_H

#include "core/err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_WHAT_BYTES = 256 }; /* enough for "reading" and most paths */

/* An environment variable for a process whose stderr is a pipe to one that passes all on: "terminal"
   if that one's is. */
#define PROGRESS_STDERR "BESPOKE_STDERR"

typedef enum { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF } progress_mode;

/* Words about a phase for its line ("frontier 1200, depth 17"): at most `bytes` with the NUL.
   Called when a line is drawn, by the thread whose tick draws it. */
typedef void progress_words(const void *self, char *into, size_t bytes);

typedef struct progress {
    bool show;               /* print at all */
    bool terminal;           /* redraw one line instead of adding lines */
    double deadline;         /* clock_seconds() at which to give up; 0 = never */
    double limit;            /* the --timeout the deadline came from, for the message */
    const char *what;        /* "reading x.aut"; borrowed, one phase at a time */
    const char *unit;        /* "transitions" */
    uint64_t total;          /* expected number of units, 0 = unknown */
    progress_words *words;   /* of the phase, or NULL */
    const void *words_self;  /* borrowed until the phase ends */
    double started;          /* of the phase */
    _Atomic int64_t next_us; /* when the next line is due, microseconds of the clock */
    bool drawn;              /* a line stands on the terminal */
} progress;

/* Seconds of the monotonic clock. */
double clock_seconds(void);

/* Does what is written to stderr appear on a terminal? */
bool progress_on_terminal(void);

/** Prepare; `timeout` seconds from now is the end, 0 = none. */
void progress_open(progress *p, progress_mode mode, double timeout);

/** A phase begins: `what` and `unit` are borrowed until the phase ends. */
void progress_begin(progress *p, const char *what, const char *unit, uint64_t total);

/** The phase that has begun adds words to its line, until it ends or another one begins. */
void progress_detail(progress *p, progress_words *words, const void *self);

/**
 * `done` units of the phase are done.  Any thread may call; a few ns when nothing is due.
 * 0, or ERR_LIMIT when the time is up.  `p` may be NULL: then there is no clock.
 */
int progress_tick(progress *p, uint64_t done, err *e);

/** The same without a word on how far it came: for those who do not know. */
int progress_check(const progress *p, err *e);

/** The phase is over: wipe the line. */
void progress_end(progress *p);

#endif
