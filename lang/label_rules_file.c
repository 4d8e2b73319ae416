/*
 * label_rules_file.c - rules in a file of their own: a header, then a rule per line.  Lines
 * without a word are passed over; there are no comments.
 */
#include "lang/label_rules.h"
#include "lang/text_file.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 256 << 20 };

/* A file being read, and its current line without the blanks around it. */
typedef struct reader {
    text_file file;
    const char *next, *start, *begin, *end; /* start: of the line, for columns */
    unsigned line;
} reader;

/* A part of a line. */
typedef struct piece {
    const char *begin, *end;
} piece;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static piece trim(piece p)
{
    while (p.begin < p.end && is_blank(*p.begin)) p.begin++;
    while (p.end > p.begin && is_blank(p.end[-1])) p.end--;
    return p;
}

/* The next line with something on it; false at the end of the file. */
static bool next_line(reader *r)
{
    const char *stop = r->file.text + r->file.bytes;
    while (r->next < stop) {
        const char *newline = memchr(r->next, '\n', (size_t)(stop - r->next));
        r->start = r->next;
        r->next = newline ? newline + 1 : stop;
        r->line++;
        piece p = trim((piece){ r->start, newline ? newline : stop });
        r->begin = p.begin;
        r->end = p.end;
        if (p.begin < p.end) return true;
    }
    return false;
}

static int fail_at(const reader *r, const char *at, err *e, const char *what)
{
    return err_set(e, ERR_INPUT, "%s:%u:%zu: %s", r->file.name, r->line ? r->line : 1,
                   r->line ? (size_t)(at - r->start) + 1 : 1, what);
}

/* A failure of the rules themselves gets its place. */
static int locate(const reader *r, const char *at, err *e)
{
    if (e->code != ERR_INPUT) return (int)e->code;
    err inner = *e;
    *e = ERR_INIT;
    return fail_at(r, at, e, inner.text);
}

/* Take a word off the front of a line. */
static bool take_word(piece *p, const char *word)
{
    size_t n = strlen(word), have = (size_t)(p->end - p->begin);
    if (have < n || memcmp(p->begin, word, n) != 0) return false;
    if (have > n && !is_blank(p->begin[n])) return false;
    *p = trim((piece){ p->begin + n, p->end });
    return true;
}

/* The header: a word, perhaps "all but" behind it.  `all_but` is NULL where that cannot be. */
static int read_header(reader *r, const char *word, bool *all_but, err *e)
{
    char wanted[80];
    snprintf(wanted, sizeof wanted, all_but ? "%s or %s all but" : "%s", word, word);
    if (!next_line(r))
        return err_set(e, ERR_INPUT, "%s:1:1: the file is empty; expected %s",
                       r->file.name, wanted);
    piece p = { r->begin, r->end };
    bool taken =
        take_word(&p, word) || (strcmp(word, "sync") == 0 && take_word(&p, "Sync"));
    if (taken && p.begin == p.end) return 0;
    if (taken && all_but && take_word(&p, "all") && take_word(&p, "but")) *all_but = true;
    if (taken && p.begin == p.end && all_but && *all_but) return 0;
    size_t n = (size_t)(r->end - r->begin);
    char what[200];
    snprintf(what, sizeof what, "found '%.*s'; expected the header %s",
             (int)(n > 60 ? 60 : n), r->begin, wanted);
    return fail_at(r, r->begin, e, what);
}

/* Quotes around a side are not part of it. */
static int strip_quotes(const reader *r, piece *p, err *e)
{
    if (p->begin == p->end)
        return fail_at(r, p->begin, e, "a side is empty; expected a label or \"\"");
    if (*p->begin != '"') return 0;
    if (p->end - p->begin < 2 || p->end[-1] != '"')
        return fail_at(r, p->begin, e,
                       "this quote is not closed; expected \" at the end");
    p->begin++;
    p->end--;
    return 0;
}

/* `left -> right`, the arrow being the first one outside of quotes. */
static int split(const reader *r, piece *left, piece *right, err *e)
{
    bool quoted = false;
    for (const char *p = r->begin; p + 1 < r->end; p++) {
        if (*p == '\\' && quoted) p++;
        else if (*p == '"') quoted = !quoted;
        else if (!quoted && p[0] == '-' && p[1] == '>') {
            *left = trim((piece){ r->begin, p });
            *right = trim((piece){ p + 2, r->end });
            if (strip_quotes(r, left, e) != 0) return (int)e->code;
            return strip_quotes(r, right, e);
        }
    }
    return fail_at(r, r->begin, e, "a rule without an arrow; expected LEFT -> RIGHT");
}

static int read_patterns(label_set *s, reader *r, err *e)
{
    while (e->code == ERR_NONE && next_line(r)) {
        piece p = { r->begin, r->end };
        if (strip_quotes(r, &p, e) != 0) return (int)e->code;
        if (label_set_add(s, p.begin, (size_t)(p.end - p.begin), false, e) != 0)
            locate(r, p.begin, e);
    }
    return (int)e->code;
}

static int read_renaming(label_map *s, reader *r, err *e)
{
    while (e->code == ERR_NONE && next_line(r)) {
        piece from = { NULL, NULL }, to = { NULL, NULL };
        if (split(r, &from, &to, e) != 0) return (int)e->code;
        if (label_map_add(s, from.begin, (size_t)(from.end - from.begin), to.begin,
                          (size_t)(to.end - to.begin), false, e) != 0)
            locate(r, from.begin, e);
    }
    return (int)e->code;
}

static int open_reader(reader *r, arena *a, const char *path, err *e)
{
    *r = (reader){ .line = 0 };
    if (text_file_read(&r->file, a, path, FILE_MAX, "rules, one per line", e) != 0)
        return (int)e->code;
    r->next = r->start = r->file.text;
    return 0;
}

int label_set_read(label_set **out, mem *m, label_mode mode, const char *word,
                   const char *path, err *e)
{
    arena text = ARENA_INIT(m, 1 << 12);
    reader r;
    bool all_but = false;
    *out = NULL;
    if (open_reader(&r, &text, path, e) == 0 && read_header(&r, word, &all_but, e) == 0 &&
        label_set_open(out, m, mode, all_but, e) == 0)
        read_patterns(*out, &r, e);
    arena_release(&text);
    if (e->code == ERR_NONE) return 0;
    label_set_close(*out);
    *out = NULL;
    return (int)e->code;
}

int label_map_read(label_map **out, mem *m, label_mode mode, const char *path, err *e)
{
    arena text = ARENA_INIT(m, 1 << 12);
    reader r;
    *out = NULL;
    if (open_reader(&r, &text, path, e) == 0 && read_header(&r, "rename", NULL, e) == 0 &&
        label_map_open(out, m, mode, e) == 0)
        read_renaming(*out, &r, e);
    arena_release(&text);
    if (e->code == ERR_NONE) return 0;
    label_map_close(*out);
    *out = NULL;
    return (int)e->code;
}
