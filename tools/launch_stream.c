#include "tools/launch_stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void put_out(void *self, const char *data, size_t bytes)
{
    launch_stream *s = self;
    if (s->lost) return;
    memcpy(s->out + s->end, data, bytes); /* it was empty before the last read */
    s->end += bytes;
}

static void put_aside(void *self, const char *data, size_t bytes)
{
    launch_stream *s = self;
    if (!s->is_full && s->aside_bytes + bytes <= LAUNCH_ASIDE_BYTES) {
        memcpy(s->aside + s->aside_bytes, data, bytes);
        s->aside[s->aside_bytes += bytes] = '\0';
        return;
    }
    if (!s->is_full) launch_stream_release(s); /* a runtime never has so much to say */
    s->is_full = true;
    put_out(s, data, bytes);
}

static void hand_on(void *self, const char *line)
{
    launch_stream *s = self;
    if (s->told) s->told(s->told_self, line);
}

void launch_stream_open(launch_stream *s, int from, int to, const char *const *starts)
{
    *s = (launch_stream){ .from = from, .to = to };
    launch_sink sink = { s, put_out, hand_on, put_aside };
    launch_filter_open(&s->filter, sink, starts);
}

void launch_stream_close(launch_stream *s)
{
    if (s->from >= 0) close(s->from);
    s->from = -1;
}

bool launch_stream_waits(const launch_stream *s) { return s->end > s->begin; }

struct pollfd launch_stream_wish(const launch_stream *s)
{
    if (launch_stream_waits(s)) return (struct pollfd){ .fd = s->to, .events = POLLOUT };
    return (struct pollfd){ .fd = s->from, .events = POLLIN };
}

static void write_some(launch_stream *s)
{
    size_t bytes = s->end - s->begin;
    if (bytes > LAUNCH_READ_BYTES) bytes = LAUNCH_READ_BYTES;
    ssize_t put = write(s->to, s->out + s->begin, bytes);
    if (put > 0) s->begin += (size_t)put;
    else if (put < 0 && errno != EINTR && errno != EAGAIN) {
        s->lost = errno;
        s->begin = s->end;
    }
    if (s->begin == s->end) s->begin = s->end = 0;
}

static void read_some(launch_stream *s)
{
    char data[LAUNCH_READ_BYTES];
    ssize_t got = read(s->from, data, sizeof data);
    if (got > 0) launch_filter_feed(&s->filter, data, (size_t)got);
    if (got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN))) return;
    launch_stream_close(s);
    launch_filter_end(&s->filter);
}

void launch_stream_serve(launch_stream *s, short events)
{
    if (events == 0) return;
    if (launch_stream_waits(s)) write_some(s);
    else if (s->from >= 0) read_some(s);
}

bool launch_stream_is_over(const launch_stream *s)
{
    return s->from < 0 && !launch_stream_waits(s);
}

void launch_stream_release(launch_stream *s)
{
    put_out(s, s->aside, s->aside_bytes);
    s->aside_bytes = 0;
    s->aside[0] = '\0';
}
