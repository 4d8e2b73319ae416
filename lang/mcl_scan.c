#include "lang/mcl_scan.h"

#include "core/ids.h"

#include <ctype.h>
#include <string.h>

enum { WORK_MAX = 32 << 20 }; /* bytes looked at; macros of macros of macros end here */

const char *mcl_range_text(const mcl_text *t, mcl_range r)
{
    return t->files.at[r.file].text + r.begin;
}

mcl_origin mcl_range_origin(mcl_range r, uint32_t call)
{
    return (mcl_origin){ r.file, r.begin, call };
}

const char *mcl_range_copy(const mcl_text *t, mcl_range r, err *e)
{
    char *copy = arena_get(t->store, (size_t)(r.end - r.begin) + 1, e);
    if (copy == NULL) return NULL;
    memcpy(copy, mcl_range_text(t, r), r.end - r.begin);
    copy[r.end - r.begin] = '\0';
    return copy;
}

static bool is_name_byte(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_blank_byte(char c) { return isspace((unsigned char)c); }

static int fail(const mcl_scan *s, err *e, const char *what)
{
    return mcl_text_error(s->text, mcl_range_origin(s->token, s->call), ERR_INPUT, e,
                          "%s", what);
}

/* The comment that begins at `at` and where it ends. */
static int cut_comment(mcl_scan *s, const char *at, const char *end, const char **out,
                       err *e)
{
    const char *close = memmem(at + 2, (size_t)(end - at - 2), "*)", 2);
    if (close == NULL)
        return fail(s, e, "this comment is not closed; expected *) before the end");
    *out = close + 2;
    return 0;
}

/* The quoted text that begins at `at`; a backslash takes the next byte with it. */
static int cut_quoted(mcl_scan *s, const char *at, const char *end, const char **out,
                      err *e)
{
    for (const char *p = at + 1; p < end && *p != '\n'; p++) {
        if (*p == *at) {
            *out = p + 1;
            return 0;
        }
        if (*p == '\\' && p + 1 < end && p[1] != '\n') p++;
    }
    return fail(
        s, e,
        *at == '"'
            ? "this string is not closed; expected \" on the same line"
            : "this regular expression is not closed; expected ' on the same line");
}

static const char *cut_while(const char *at, const char *end, bool (*belongs)(char))
{
    while (at < end && belongs(*at)) at++;
    return at;
}

static int cut(mcl_scan *s, const char *at, const char *end, const char **stop, err *e)
{
    bool comment = end - at >= 2 && at[0] == '(' && at[1] == '*';
    if (comment) s->kind = MCL_SCAN_COMMENT;
    else if (is_blank_byte(*at)) s->kind = MCL_SCAN_BLANK;
    else if (*at == '"' || *at == '\'') s->kind = MCL_SCAN_QUOTED;
    else if (is_name_byte(*at) && !isdigit((unsigned char)*at)) s->kind = MCL_SCAN_NAME;
    else s->kind = MCL_SCAN_OTHER;
    *stop = at + 1;
    switch (s->kind) {
    case MCL_SCAN_COMMENT:
        return cut_comment(s, at, end, stop, e);
    case MCL_SCAN_QUOTED:
        return cut_quoted(s, at, end, stop, e);
    case MCL_SCAN_BLANK:
        *stop = cut_while(at, end, is_blank_byte);
        return 0;
    case MCL_SCAN_NAME:
        *stop = cut_while(at, end, is_name_byte);
        return 0;
    default:
        return *at == '\0' ? fail(s, e, "a zero byte; expected text") : 0;
    }
}

int mcl_scan_next(mcl_scan *s, err *e)
{
    s->token = (mcl_range){ s->rest.file, s->rest.begin, s->rest.begin };
    s->kind = MCL_SCAN_END;
    if (s->rest.begin == s->rest.end) return 0;
    const char *base = s->text->files.at[s->rest.file].text, *stop;
    if (cut(s, base + s->rest.begin, base + s->rest.end, &stop, e) != 0)
        return (int)e->code;
    s->token.end = s->rest.begin = (uint32_t)(stop - base);
    *s->work += s->token.end - s->token.begin;
    return *s->work > WORK_MAX
               ? fail(s, e, "the macros make too much text; expected fewer nested calls")
               : 0;
}

int mcl_scan_word(mcl_scan *s, err *e)
{
    do
        if (mcl_scan_next(s, e) != 0) return (int)e->code;
    while (s->kind == MCL_SCAN_BLANK || s->kind == MCL_SCAN_COMMENT);
    return 0;
}

bool mcl_scan_is(const mcl_scan *s, const char *word)
{
    size_t bytes = s->token.end - s->token.begin;
    return bytes == strlen(word) &&
           memcmp(mcl_range_text(s->text, s->token), word, bytes) == 0;
}

bool mcl_scan_is_keyword(const mcl_scan *s)
{
    static const char *const words[] = { "true",    "false",      "not",   "or",
                                         "and",     "implies",    "equ",   "nil",
                                         "mu",      "nu",         "macro", "end_macro",
                                         "library", "end_library" };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (mcl_scan_is(s, words[i])) return true;
    return false;
}

int mcl_scan_expected(const mcl_scan *s, err *e, const char *expected)
{
    mcl_origin at = mcl_range_origin(s->token, s->call);
    int bytes = (int)(s->token.end - s->token.begin);
    if (bytes == 0)
        return mcl_text_error(s->text, at, ERR_INPUT, e,
                              "the text ends here; expected %s", expected);
    return mcl_text_error(s->text, at, ERR_INPUT, e, "found '%.*s'; expected %s",
                          bytes > 40 ? 40 : bytes, mcl_range_text(s->text, s->token),
                          expected);
}
