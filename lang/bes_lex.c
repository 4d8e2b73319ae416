#include "lang/bes_lex.h"

#include "core/ids.h"
#include "lang/bes.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void bes_lex_position(const bes_lex *l, const char *where, size_t *line, size_t *column)
{
    const char *begin = l->text;
    *line = 1;
    for (const char *p = l->text; (p = memchr(p, '\n', (size_t)(where - p))) != NULL;) {
        begin = ++p;
        ++*line;
    }
    *column = (size_t)(where - begin) + 1;
}

int bes_lex_complain(const bes_lex *l, const char *where, err *e, const char *format, ...)
{
    char sentence[400];
    size_t line, column;
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    bes_lex_position(l, where, &line, &column);
    return err_set(e, ERR_INPUT, "%s:%zu:%zu: %s", l->name, line, column, sentence);
}

int bes_lex_unexpected(const bes_lex *l, const char *expected, err *e)
{
    enum { SHOWN = 30 };
    if (e->code != ERR_NONE) return (int)e->code;
    if (l->word == BES_END_OF_TEXT)
        return bes_lex_complain(l, l->end, e, "the text ends here; expected %s",
                                expected);
    unsigned char c = (unsigned char)*l->start;
    if (c < ' ' || c > '~')
        return bes_lex_complain(l, l->start, e, "found the byte 0x%02x; expected %s", c,
                                expected);
    size_t bytes = (size_t)(l->at - l->start);
    return bes_lex_complain(l, l->start, e, "found '%.*s%s'; expected %s",
                            (int)(bytes < SHOWN ? bytes : SHOWN), l->start,
                            bytes > SHOWN ? "..." : "", expected);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Over a comment that begins at l->at. */
static int skip_comment(bes_lex *l, err *e)
{
    const char *begin = l->at;
    l->at = memmem(begin + 2, (size_t)(l->end - begin - 2), "*)", 2);
    if (l->at == NULL) {
        l->at = l->end;
        return bes_lex_complain(l, begin, e,
                                "a comment that does not end; expected '*)'");
    }
    l->at += 2;
    return 0;
}

static int skip_blanks(bes_lex *l, err *e)
{
    for (;;) {
        while (l->at < l->end && is_space(*l->at)) l->at++;
        if (l->end - l->at < 2 || l->at[0] != '(' || l->at[1] != '*') return 0;
        if (skip_comment(l, e) != 0) return (int)e->code;
    }
}

/* Digits at *at, at least one; false when there is none or the number is too large. */
static bool take_number(const bes_lex *l, const char **at, uint32_t *out, err *e)
{
    const char *p = *at;
    uint64_t n = 0;
    for (; p < l->at && is_digit(*p); p++)
        if (n <= BES_NUMBER_MAX) n = 10 * n + (uint64_t)(*p - '0');
    if (p == *at) return false;
    if (n > BES_NUMBER_MAX) {
        bes_lex_complain(l, *at, e, "a number of %zu digits; expected at most %u",
                         (size_t)(p - *at), BES_NUMBER_MAX);
        return false;
    }
    *at = p;
    *out = (uint32_t)n;
    return true;
}

/* B3, X3 or X3_1. */
static bes_word classify_name(bes_lex *l, err *e)
{
    const char *p = l->start + 1;
    if (!take_number(l, &p, &l->number, e)) return BES_BAD;
    if (p == l->at) return *l->start == 'B' ? BES_BLOCK_NAME : BES_VARIABLE;
    if (*l->start == 'B' || *p++ != '_') return BES_BAD;
    return take_number(l, &p, &l->of_number, e) && p == l->at ? BES_VARIABLE_OF : BES_BAD;
}

static bes_word classify(bes_lex *l, err *e)
{
#define BES_WORD_TEXT(id, text) text,
    static const char *const words[] = { BES_WORDS(BES_WORD_TEXT) };
#undef BES_WORD_TEXT
    const char *p = l->start;
    size_t bytes = (size_t)(l->at - l->start);
    if (*p == 'X' || *p == 'B') return classify_name(l, e);
    if (is_digit(*p))
        return take_number(l, &p, &l->number, e) && p == l->at ? BES_NUMBER : BES_BAD;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i]) == bytes && memcmp(words[i], p, bytes) == 0)
            return (bes_word)i;
    return BES_BAD;
}

int bes_lex_next(bes_lex *l, err *e)
{
    l->word = BES_BAD;
    if (skip_blanks(l, e) != 0) return (int)e->code;
    l->start = l->at;
    if (l->at == l->end) {
        l->word = BES_END_OF_TEXT;
        return 0;
    }
    while (l->at < l->end && (is_letter(*l->at) || is_digit(*l->at))) l->at++;
    if (l->at > l->start) {
        l->word = classify(l, e);
        return (int)e->code;
    }
    l->word = *l->at++ == '=' ? BES_EQUALS : BES_BAD;
    return 0;
}

int bes_lex_begin(bes_lex *l, const char *name, const char *text, size_t bytes,
                  size_t offset, err *e)
{
    *l = (bes_lex){ .name = name, .text = text, .end = text + bytes };
    l->at = l->start = text + offset;
    return bes_lex_next(l, e);
}
