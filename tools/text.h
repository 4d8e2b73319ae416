/*
 * text.h - the manual's texts, taken apart: paragraphs of words, and lines to keep.
 *
 * A text is paragraphs divided by empty lines; a line that begins with two blanks is kept
 * as it stands.  help.c wraps them for a terminal, manual.c turns them into roff.
 */
#ifndef BESPOKE_TEXT_H
#define BESPOKE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_WIDTH = 80 };

typedef struct text_line {
    const char *at; /* not NUL-terminated */
    size_t bytes;
    bool kept; /* as it stands; otherwise words to be wrapped */
} text_line;

/* The next line from *cursor on, which moves; false at the end.  An empty line has 0 bytes. */
bool text_next(const char **cursor, text_line *out);

/* Print on stdout, wrapped to TEXT_WIDTH, every line indented. */
void text_print(const char *text, size_t indent);

/* Print `head`, then `text` wrapped in a column of its own. */
void text_print_beside(const char *head, const char *text, size_t column);

#endif
