#include "lang/aut_line.h"

#include <string.h>

/* A reading position in a line; the first mistake stops it. */
typedef struct cursor {
    const char *at, *end;
    const char **wrong_at;
    err *e;
} cursor;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && is_blank(*c->at)) c->at++;
}

/* What stands at a position, as words for a message. */
static void describe(char into[32], const char *at, const char *end)
{
    unsigned char b = at < end ? (unsigned char)*at : 0;
    size_t n = 0;
    if (at >= end) {
        memcpy(into, "the end of the line", 20);
        return;
    }
    if (b < 32 || b > 126) {
        static const char hex[] = "0123456789abcdef";
        memcpy(into, "byte 0x", 7);
        into[7] = hex[b >> 4], into[8] = hex[b & 15], into[9] = '\0';
        return;
    }
    into[n++] = '\'';
    while (at < end && *at >= 32 && *at <= 126 && n < 20) into[n++] = *at++;
    into[n++] = '\'';
    into[n] = '\0';
}

static bool wrong(cursor *c, const char *expected)
{
    char found[32];
    describe(found, c->at, c->end);
    *c->wrong_at = c->at;
    err_set(c->e, ERR_INPUT, "expected %s, found %s", expected, found);
    return false;
}

static bool expect(cursor *c, char token, const char *expected)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != token) return wrong(c, expected);
    c->at++;
    return true;
}

/* A number of any length; beyond 64 bits it stays at the largest one. */
static bool number(cursor *c, uint64_t *out, const char **at, const char *expected)
{
    skip_blanks(c);
    *at = c->at;
    if (c->at == c->end || !is_digit(*c->at)) return wrong(c, expected);
    uint64_t n = 0;
    for (; c->at < c->end && is_digit(*c->at); c->at++) {
        uint64_t digit = (uint64_t)(*c->at - '0');
        n = n > (UINT64_MAX - digit) / 10 ? UINT64_MAX : n * 10 + digit;
    }
    *out = n;
    return true;
}

static bool line_end(cursor *c)
{
    skip_blanks(c);
    return c->at == c->end || wrong(c, "the end of the line");
}

/* Trim blanks, take off one outer pair of quotes. */
static bool label(cursor *c, aut_line *out, const char *comma)
{
    skip_blanks(c);
    const char *end = comma;
    while (end > c->at && is_blank(end[-1])) end--;
    if (c->at >= end) return wrong(c, "a label");
    if (*c->at == '"') {
        if (end - c->at < 2 || end[-1] != '"') {
            *c->wrong_at = c->at;
            err_set(c->e, ERR_INPUT,
                    "a label that begins with a quote; expected another '\"' right "
                    "before the last comma of the line");
            return false;
        }
        c->at++;
        end--;
    }
    out->label = c->at;
    out->label_bytes = (size_t)(end - c->at);
    c->at = comma;
    return true;
}

static bool target(cursor *c, aut_line *out)
{
    if (!expect(c, ',', "','") || !number(c, &out->to, &out->to_at, "a target state"))
        return false;
    skip_blanks(c);
    if (c->at < c->end && (*c->at == '/' || is_digit(*c->at)))
        return wrong(c, "')' (probabilistic targets are not supported)");
    return expect(c, ')', "')'") && line_end(c);
}

aut_line_kind aut_line_read(aut_line *out, const char *line, size_t bytes,
                            const char **wrong_at, err *e)
{
    cursor c = { line, line + bytes, wrong_at, e };
    skip_blanks(&c);
    bool end_of_text = c.at < c.end && *c.at == 0x04; /* some writers end a file so */
    if (c.at == c.end || (end_of_text && c.at + 1 == c.end)) return AUT_LINE_BLANK;
    if (!expect(&c, '(', "'(' and a transition") ||
        !number(&c, &out->from, &out->from_at, "a source state") ||
        !expect(&c, ',', "',' after the source state"))
        return AUT_LINE_WRONG;
    const char *comma = memrchr(c.at, ',', (size_t)(c.end - c.at));
    if (comma == NULL) {
        c.at = c.end;
        wrong(&c, "',' and a target state after the label");
        return AUT_LINE_WRONG;
    }
    return label(&c, out, comma) && target(&c, out) ? AUT_LINE_TRANSITION
                                                    : AUT_LINE_WRONG;
}

/* A count of the header, or `?`. */
static bool count(cursor *c, uint64_t *out, bool *known, const char **at,
                  const char *what)
{
    skip_blanks(c);
    *at = c->at;
    *known = !(c->at < c->end && *c->at == '?');
    if (*known) return number(c, out, at, what);
    c->at++;
    return true;
}

static bool header_word(cursor *c)
{
    static const char mark[] =
        "\xef\xbb\xbf"; /* a byte-order mark, as Windows writes it */
    if (c->end - c->at >= 3 && memcmp(c->at, mark, 3) == 0) c->at += 3;
    skip_blanks(c);
    if (c->end - c->at >= 3 && memcmp(c->at, "des", 3) == 0) {
        c->at += 3;
        return true;
    }
    return wrong(c, "'des (initial, transitions, states)'");
}

int aut_header_read(aut_header *out, const char *line, size_t bytes,
                    const char **wrong_at, err *e)
{
    cursor c = { line, line + bytes, wrong_at, e };
    *out = (aut_header){ 0 };
    bool fine = header_word(&c) && expect(&c, '(', "'(' after 'des'") &&
                number(&c, &out->initial, &out->initial_at, "the initial state") &&
                expect(&c, ',', "',' after the initial state") &&
                count(&c, &out->transitions, &out->transitions_known,
                      &out->transitions_at, "the number of transitions") &&
                expect(&c, ',', "',' after the number of transitions") &&
                count(&c, &out->states, &out->states_known, &out->states_at,
                      "the number of states") &&
                expect(&c, ')', "')' after the number of states") && line_end(&c);
    return fine ? 0 : (int)e->code;
}

const char *aut_label_wrong_byte(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < 32 || text[i] == 127) return text + i;
    return NULL;
}
