/*
 * launch_filter.h - what ranks and mpiexec write, told apart while it passes.
 *
 * Three kinds: lines for the parent alone, which begin with LAUNCH_MARK, anywhere in the text, and end
 * in a newline; lines of the MPI runtime, known by how they begin; and the rest, which passes byte
 * for byte and at once.  Only what may yet become one of the first two is held back.
 */
#ifndef BESPOKE_LAUNCH_FILTER_H
#define BESPOKE_LAUNCH_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#define LAUNCH_MARK '\x1e'

enum { LAUNCH_LINE_MOST = 2048 }; /* longer ones pass */

typedef struct launch_sink {
    void *self;
    void (*pass)(void *self, const char *data, size_t bytes);
    void (*told)(void *self, const char *line); /* without mark and newline */
    void (*aside)(void *self, const char *data, size_t bytes);
} launch_sink;

typedef struct launch_filter {
    launch_sink to;
    const char *const *starts; /* of the runtime's lines; ends with NULL, borrowed */
    bool to_the_end;           /* after such a line all that follows is the runtime's */
    bool marks;                /* there are lines for the parent */
    bool at_start;             /* of a line */
    enum { LAUNCH_PASS, LAUNCH_PERHAPS, LAUNCH_MARKED, LAUNCH_ASIDE } state;
    char held[LAUNCH_LINE_MOST + 1];
    size_t bytes; /* held */
} launch_filter;

void launch_filter_open(launch_filter *f, launch_sink to, const char *const *starts);
void launch_filter_feed(launch_filter *f, const char *data, size_t bytes);

/* The stream has ended: what was held back passes. */
void launch_filter_end(launch_filter *f);

#endif
