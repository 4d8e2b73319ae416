#include "lang/aut_head.h"

#include "lang/plts_layout.h"

#include <string.h>

void aut_head_close(aut_head *h) { text_block_release(&h->first, h->options->m); }

int aut_head_locate(const aut_head *h, uint64_t line, uint64_t column, err *e)
{
    if (e->code == ERR_LIMIT) return (int)e->code;
    err located = ERR_INIT;
    err_set(&located, e->code, "%s:%llu:%llu: %.400s", h->path, (unsigned long long)line,
            (unsigned long long)column, e->text);
    *e = located;
    return (int)e->code;
}

static int wrong_at(const aut_head *h, const char *at, const char *line, err *e)
{
    return aut_head_locate(h, h->line, (uint64_t)(at - line) + 1, e);
}

/* Counts that an interrupted writer left open are an error unless --lenient. */
static int check_known(const aut_head *h, bool known, const char *at, const char *line,
                       const char *what, err *e)
{
    if (known || h->options->lenient) return 0;
    err_set(
        e, ERR_INPUT,
        "the number of %s is '?', as an interrupted writer leaves it; expected a number "
        "(--lenient counts)",
        what);
    return wrong_at(h, at, line, e);
}

static int check_counts(const aut_head *h, const char *line, err *e)
{
    const aut_header *c = &h->counts;
    bool lenient = h->options->lenient;
    if (check_known(h, c->transitions_known, c->transitions_at, line, "transitions", e) !=
            0 ||
        check_known(h, c->states_known, c->states_at, line, "states", e) != 0)
        return (int)e->code;
    if (c->states_known && (c->states > STATES_MAX || (c->states == 0 && !lenient))) {
        err_set(e, ERR_INPUT, "%llu states; expected 1 to 4294967294 (2^32 - 2)",
                (unsigned long long)c->states);
        return wrong_at(h, c->states_at, line, e);
    }
    if (c->initial < (lenient ? STATES_MAX : c->states)) return 0;
    err_set(e, ERR_INPUT,
            "the initial state is %llu; expected less than the number of states",
            (unsigned long long)c->initial);
    return wrong_at(h, c->initial_at, line, e);
}

/* The first line that is not blank is the header: is it in this block, before which there were
   so many `lines`? */
static bool find(aut_head *h, uint64_t *lines)
{
    const char *text = h->first.text;
    size_t at = 0, length;
    for (; at < h->first.bytes; at += length + 1) {
        length = (size_t)((const char *)rawmemchr(text + at, '\n') - (text + at));
        ++*lines;
        if (strspn(text + at, " \t\r\f\v") == length) continue;
        h->at = at;
        h->bytes = at + length + 1;
        h->line = *lines;
        return true;
    }
    return false;
}

static int read_line(aut_head *h, err *e)
{
    const char *line = h->first.text + h->at, *wrong = line;
    size_t length = h->bytes - h->at - 1;
    if (h->at == 0 && plts_layout_is_line(line, length))
        err_set(e, ERR_INPUT,
                "expected 'des (', found a .plts, which is read from a file, never from "
                "a pipe");
    else aut_header_read(&h->counts, line, length, &wrong, e);
    if (e->code != ERR_NONE) return wrong_at(h, wrong, line, e);
    return check_counts(h, line, e);
}

int aut_head_read(aut_head *h, text_blocks *from, err *e)
{
    uint64_t lines = 0;
    while (text_blocks_next(from, &h->first, e)) {
        if (find(h, &lines)) {
            h->offset += h->bytes;
            return read_line(h, e);
        }
        h->offset += h->first.bytes;
        if (!h->first.broken) continue;
        *e = h->first.why; /* before the header was complete */
        return aut_head_locate(h, lines + 1, h->first.rest + 1, e);
    }
    if (e->code != ERR_NONE) return aut_head_locate(h, lines + 1, 1, e);
    return err_set(e, ERR_INPUT,
                   "%s:1:1: the file is empty; expected 'des (', then counts", h->path);
}

/* ---- the end --------------------------------------------------------------------------- */

/* A count of the header that the body does not bear out. */
static int mismatch(const aut_head *h, const char *at, const char *what, uint64_t said,
                    uint64_t found, err *e)
{
    size_t column = (size_t)(at - (h->first.text + h->at)) + 1;
    unsigned long long row = h->line, was = said, is = found;
    if (!h->options->lenient)
        return err_set(
            e, ERR_INPUT,
            "%s:%llu:%zu: the header says %llu %s, but the file has %llu; expected "
            "equal numbers (--lenient goes by the file)",
            h->path, row, column, was, what, is);
    log_warn(h->options->log,
             "%s:%llu:%zu: the header says %llu %s, but the file has %llu", h->path, row,
             column, was, what, is);
    return 0;
}

/* The number of states: the header's, or in a lenient reading what the file needs. */
static int count_states(const aut_head *h, uint64_t end, state_id *out, err *e)
{
    const aut_header *c = &h->counts;
    if (c->initial + 1 > end) end = c->initial + 1;
    if (c->states_known && c->states < end &&
        mismatch(h, c->states_at, "states", c->states, end, e) != 0)
        return (int)e->code;
    *out = (state_id)(c->states_known && c->states > end ? c->states : end);
    return 0;
}

int aut_head_check(const aut_head *h, uint64_t transitions, uint64_t end,
                   state_id *states, err *e)
{
    const aut_header *c = &h->counts;
    if (c->transitions_known && c->transitions != transitions &&
        mismatch(h, c->transitions_at, "transitions", c->transitions, transitions, e) !=
            0)
        return (int)e->code;
    if (count_states(h, end, states, e) != 0) return (int)e->code;
    if (!c->transitions_known || !c->states_known)
        log_warn(h->options->log,
                 "%s:%llu: the header has '?'; %llu transitions, %u states", h->path,
                 (unsigned long long)h->line, (unsigned long long)transitions, *states);
    return 0;
}
