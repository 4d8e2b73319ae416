/*
 * mcl_scan.h - source text cut as far as macros need it: names, quoted text, comments.
 */
#ifndef BESPOKE_MCL_SCAN_H
#define BESPOKE_MCL_SCAN_H

#include "lang/mcl_text.h"

/* Some text of a file. */
typedef struct mcl_range {
    uint32_t file, begin, end;
} mcl_range;

typedef enum {
    MCL_SCAN_END,     /* nothing is left */
    MCL_SCAN_BLANK,   /* blanks and newlines */
    MCL_SCAN_COMMENT, /* (* ... *) */
    MCL_SCAN_QUOTED,  /* a string or a regular expression with its quotes */
    MCL_SCAN_NAME,    /* an identifier or keyword */
    MCL_SCAN_OTHER    /* one byte */
} mcl_scan_kind;

typedef struct mcl_scan {
    const mcl_text *text; /* borrowed */
    mcl_range rest;       /* still to be cut */
    uint32_t call;        /* the macro call this is expanded for, for messages */
    uint64_t *work;       /* borrowed: bytes cut so far, against texts that never end */
    /* the last token: */
    mcl_scan_kind kind;
    mcl_range token;
} mcl_scan;

/** Cut the next token.  0, or ERR_INPUT when a comment or a quote is not closed. */
int mcl_scan_next(mcl_scan *s, err *e);

/** The same, passing over blanks and comments. */
int mcl_scan_word(mcl_scan *s, err *e);

/* Is the last token this name, or this byte? */
bool mcl_scan_is(const mcl_scan *s, const char *word);

/* Is the last token a word that the language itself uses? */
bool mcl_scan_is_keyword(const mcl_scan *s);

/* First byte of a range, and where that is. */
const char *mcl_range_text(const mcl_text *t, mcl_range r);
mcl_origin mcl_range_origin(mcl_range r, uint32_t call);

/** A copy of a range with a NUL, in the arena; NULL with ERR_LIMIT. */
const char *mcl_range_copy(const mcl_text *t, mcl_range r, err *e);

/** Record an error at the last token: "MESSAGE; expected EXPECTED, found ...". */
int mcl_scan_expected(const mcl_scan *s, err *e, const char *expected);

#endif
