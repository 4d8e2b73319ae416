#include "tools/text.h"

#include <stdio.h>
#include <string.h>

bool text_next(const char **cursor, text_line *out)
{
    const char *at = *cursor;
    if (*at == '\0') return false;
    size_t bytes = strcspn(at, "\n");
    *out = (text_line){ at, bytes, strncmp(at, "  ", 2) == 0 };
    *cursor = at + bytes + (at[bytes] == '\n');
    return true;
}

/* Where the pen is: `used` columns of the line are written, 0 = nothing since a newline. */
typedef struct pen {
    size_t indent, used;
} pen;

static void pen_newline(pen *p)
{
    putchar('\n');
    p->used = 0;
}

static void pen_word(pen *p, const char *word, size_t bytes)
{
    if (p->used > p->indent && p->used + 1 + bytes > TEXT_WIDTH) pen_newline(p);
    if (p->used == 0) p->used = (size_t)printf("%*s", (int)p->indent, "");
    else if (p->used > p->indent) p->used += (size_t)printf(" ");
    p->used += (size_t)printf("%.*s", (int)bytes, word);
}

static void pen_words(pen *p, const text_line *l)
{
    const char *at = l->at, *end = l->at + l->bytes;
    while (at < end) {
        while (at < end && *at == ' ') at++;
        const char *word = at;
        while (at < end && *at != ' ') at++;
        if (at > word) pen_word(p, word, (size_t)(at - word));
    }
}

static void pen_text(pen *p, const char *text)
{
    text_line l;
    while (text_next(&text, &l)) {
        if ((l.bytes == 0 || l.kept) && p->used > 0) pen_newline(p);
        if (l.bytes == 0) pen_newline(p);
        else if (l.kept) printf("%*s%.*s\n", (int)p->indent, "", (int)l.bytes, l.at);
        else pen_words(p, &l);
    }
    if (p->used > 0) pen_newline(p);
}

void text_print(const char *text, size_t indent)
{
    pen p = { .indent = indent };
    pen_text(&p, text);
}

void text_print_beside(const char *head, const char *text, size_t column)
{
    pen p = { .indent = column };
    p.used = (size_t)printf("%s", head);
    if (p.used + 2 > column) pen_newline(&p);
    else p.used += (size_t)printf("%*s", (int)(column - p.used), "");
    pen_text(&p, text);
}
