/*
 * bes_lex.h - the words of a .bes text.  Private to lang/bes*.c.
 * The text is whole in memory; a word knows where it begins, and line and column are counted
 * only when there is something to complain about.
 */
#ifndef BESPOKE_BES_LEX_H
#define BESPOKE_BES_LEX_H

#include "core/err.h"

#include <stddef.h>
#include <stdint.h>

/* id, how it is written */
#define BES_WORDS(X)    \
    X(BLOCK, "block")   \
    X(MU, "mu")         \
    X(NU, "nu")         \
    X(UNIQUE, "unique") \
    X(MODE, "mode")     \
    X(IS, "is")         \
    X(END, "end")       \
    X(OR, "or")         \
    X(AND, "and")       \
    X(TRUE, "true")     \
    X(FALSE, "false")

#define BES_WORD_ENUM(id, text) BES_##id,
typedef enum {
    BES_WORDS(BES_WORD_ENUM) BES_EQUALS, /* = */
    BES_BLOCK_NAME,                      /* B3 */
    BES_VARIABLE,                        /* X3 */
    BES_VARIABLE_OF,                     /* X3_1 */
    BES_NUMBER,                          /* 3 */
    BES_END_OF_TEXT,
    BES_BAD /* none of these, or an error is set */
} bes_word;
#undef BES_WORD_ENUM

typedef struct bes_lex {
    const char *name;   /* of the file, for messages */
    const char *text;   /* its first byte */
    const char *end;    /* behind its last */
    const char *at;     /* behind the word in hand */
    bes_word word;      /* in hand */
    const char *start;  /* where it begins */
    uint32_t number;    /* of B3, X3, 3 */
    uint32_t of_number; /* 1 in X3_1 */
} bes_lex;

/** Begin at a byte of a text and take the first word.  0 or ERR_INPUT. */
int bes_lex_begin(bes_lex *l, const char *name, const char *text, size_t bytes,
                  size_t offset, err *e);

/** Take the next word in hand.  0, or ERR_INPUT: an unfinished comment, a huge number. */
int bes_lex_next(bes_lex *l, err *e);

/** "file:line:column: " and a sentence about the byte at `where`.  Returns ERR_INPUT. */
int bes_lex_complain(const bes_lex *l, const char *where, err *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** The word in hand is not what should stand here.  Returns ERR_INPUT. */
int bes_lex_unexpected(const bes_lex *l, const char *expected, err *e);

/** Line and column, from 1, of a byte of the text. */
void bes_lex_position(const bes_lex *l, const char *where, size_t *line, size_t *column);

#endif
