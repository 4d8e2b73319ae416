/*
 * launch_filter - see launch_filter.h.
 *
 * Invariant  What was fed is what went to the sinks, marks and their newlines apart, followed by what
 *            is held; so nothing is lost or turned round.
 * Cost       A look at each byte; none is copied but in lines that are held.
 */
#include "tools/launch_filter.h"

#include <string.h>

void launch_filter_open(launch_filter *f, launch_sink to, const char *const *starts)
{
    *f = (launch_filter){ .to = to, .starts = starts, .at_start = true };
}

typedef enum { IS_NOT, IS_PERHAPS, IS } likeness;

static likeness compare(const launch_filter *f)
{
    likeness best = IS_NOT;
    for (size_t i = 0; f->starts[i]; i++) {
        size_t n = strlen(f->starts[i]), less = n < f->bytes ? n : f->bytes;
        if (memcmp(f->held, f->starts[i], less) != 0) continue;
        if (less == n) return IS;
        best = IS_PERHAPS;
    }
    return best;
}

static void let_go(launch_filter *f, void (*to)(void *, const char *, size_t))
{
    if (f->bytes > 0) to(f->to.self, f->held, f->bytes);
    f->bytes = 0;
    f->state = LAUNCH_PASS;
}

static bool ends_line(char c) { return c == '\n' || c == '\r'; }

/* The line that is held is none of those, or may be one, or is one.  If it was an empty line, the
   byte behind that begins another. */
static void judge(launch_filter *f)
{
    likeness is = compare(f);
    if (is == IS) f->state = LAUNCH_ASIDE;
    if (is != IS_NOT) return;
    char last = f->held[f->bytes - 1];
    bool again = f->bytes > 1 && ends_line(f->held[f->bytes - 2]);
    if (again) f->bytes--;
    let_go(f, f->to.pass);
    f->at_start = ends_line(last);
    if (!again) return;
    f->held[f->bytes++] = last;
    f->state = LAUNCH_PERHAPS;
    judge(f);
}

static void end_line(launch_filter *f)
{
    if (f->state == LAUNCH_ASIDE) {
        let_go(f, f->to.aside);
        f->at_start = true;
        if (f->to_the_end) f->state = LAUNCH_ASIDE;
        return;
    }
    f->held[f->bytes - 1] = '\0'; /* the newline */
    f->bytes = 0;
    f->state = LAUNCH_PASS;
    f->to.told(f->to.self, f->held + 1);
}

static void hold(launch_filter *f, char c)
{
    f->held[f->bytes++] = c;
    if (f->state == LAUNCH_PERHAPS) judge(f);
    else if (c == '\n') end_line(f);
    else if (f->bytes < LAUNCH_LINE_MOST) return;
    else if (f->state == LAUNCH_MARKED) let_go(f, f->to.pass);
    else {
        let_go(f, f->to.aside);
        f->state = LAUNCH_ASIDE;
    }
}

/* How many of the bytes pass without a further thought. */
static size_t plain_bytes(launch_filter *f, const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (f->marks && data[i] == LAUNCH_MARK) {
            f->state = LAUNCH_MARKED;
            return i;
        }
        if (f->at_start) {
            f->state = LAUNCH_PERHAPS;
            return i;
        }
        f->at_start = ends_line(data[i]);
    }
    return bytes;
}

void launch_filter_feed(launch_filter *f, const char *data, size_t bytes)
{
    while (bytes > 0) {
        size_t n = 1;
        if (f->state == LAUNCH_PERHAPS && f->marks && *data == LAUNCH_MARK) {
            let_go(f, f->to.pass); /* and the rest of that line comes after the mark's */
            f->at_start = false;
            f->state = LAUNCH_MARKED;
        }
        if (f->state == LAUNCH_PASS) {
            n = plain_bytes(f, data, bytes);
            if (n > 0) f->to.pass(f->to.self, data, n);
        } else hold(f, *data);
        data += n;
        bytes -= n;
    }
}

void launch_filter_end(launch_filter *f)
{
    let_go(f, f->state == LAUNCH_ASIDE ? f->to.aside : f->to.pass);
}
