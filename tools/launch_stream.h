/*
 * launch_stream.h - what comes out of a pipe, filtered, into a file of ours, without ever waiting.
 */
#ifndef BESPOKE_LAUNCH_STREAM_H
#define BESPOKE_LAUNCH_STREAM_H

#include "tools/launch_filter.h"

#include <poll.h>

enum {
    LAUNCH_READ_BYTES =
        4096, /* also at most written at once: a pipe that takes any takes these */
    LAUNCH_ASIDE_BYTES = 16 * 1024,
    LAUNCH_OUT_BYTES = LAUNCH_ASIDE_BYTES + LAUNCH_READ_BYTES + 2 * LAUNCH_LINE_MOST
};

typedef struct launch_stream {
    launch_filter filter;
    int from, to; /* from: -1 when it has ended */
    int lost;     /* why it could not be written, or 0; then it is only read */
    bool is_full; /* of the runtime's words; further ones pass */
    size_t begin, end;
    char out[LAUNCH_OUT_BYTES];         /* waits from begin to end */
    char aside[LAUNCH_ASIDE_BYTES + 1]; /* the runtime's words, a text */
    size_t aside_bytes;
    void *told_self;
    void (*told)(void *self, const char *line);
} launch_stream;

/* Takes `from`. */
void launch_stream_open(launch_stream *s, int from, int to, const char *const *starts);
void launch_stream_close(launch_stream *s);

/* What to wait for, and what to do then. */
struct pollfd launch_stream_wish(const launch_stream *s);
void launch_stream_serve(launch_stream *s, short events);

/* All has been read and written. */
bool launch_stream_is_over(const launch_stream *s);

/* Bytes wait to be written. */
bool launch_stream_waits(const launch_stream *s);

/* The runtime's words were an answer's after all. */
void launch_stream_release(launch_stream *s);

#endif
