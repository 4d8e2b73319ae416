/*
 * mcl_text.h - the text of a formula after expansion, and where every byte of it came from.
 *
 * Expansion copies pieces of source files; each piece remembers its file, its offset there
 * and the macro call it was copied for.  A position in the expanded text can so be reported
 * in the user's own file, however many macros lie between.
 */
#ifndef BESPOKE_MCL_TEXT_H
#define BESPOKE_MCL_TEXT_H

#include "core/arena.h"
#include "core/log.h"
#include "core/vec.h"
#include "lang/mcl_tree.h"

#include <stdarg.h>
#include <sys/types.h>

#define MCL_NO_CALL UINT32_MAX

enum { MCL_TEXT_MAX = 4 << 20 }; /* bytes of a file, and of the expanded text */

typedef struct mcl_file {
    const char *name; /* as it is shown; in the arena, as is the text */
    const char *text; /* ends in a NUL that `bytes` does not count */
    uint32_t bytes;
    dev_t device; /* device and inode: is this file here already? */
    ino_t inode;
} mcl_file;

/* A place in a source file; `call` is the macro call it is being expanded for. */
typedef struct mcl_origin {
    uint32_t file, offset;
    uint32_t call; /* or MCL_NO_CALL */
} mcl_origin;

typedef struct mcl_call {
    const char *name; /* of the macro, in the arena */
    mcl_origin at;    /* of the call itself */
} mcl_call;

typedef struct mcl_piece {
    uint32_t begin; /* in the expanded text; it ends where the next one begins */
    mcl_origin from;
} mcl_piece;

typedef struct mcl_text {
    arena *store;        /* borrowed */
    const log_sink *log; /* borrowed, or NULL */
    VEC(mcl_file) files; /* the first is the user's own */
    VEC(mcl_call) calls;
    VEC(mcl_piece) pieces;
    VEC(char) expanded; /* ends in two NULs that count, as the lexer wants them */
} mcl_text;

void mcl_text_release(mcl_text *t);

/** Add a file whose name and text (with NUL) are in the arena.  0, or ERR_LIMIT. */
int mcl_text_add_file(mcl_text *t, mcl_file file, err *e);

/** Append bytes [offset, end) of a file to the expanded text.  0, ERR_LIMIT, ERR_INPUT. */
int mcl_text_append(mcl_text *t, mcl_origin from, uint32_t end, err *e);

/** Append one blank, so that what comes next cannot grow together with what is there. */
int mcl_text_blank(mcl_text *t, mcl_origin from, err *e);

/** Where a byte of the expanded text came from. */
mcl_origin mcl_text_origin(const mcl_text *t, uint32_t offset);

/** `file:line:column` of a place, with its macro, for people. */
void mcl_text_where(const mcl_text *t, mcl_origin o, char *into, size_t bytes);

/** Record `file:line:column: message (in macro ...)`; returns the recorded code. */
int mcl_text_error(const mcl_text *t, mcl_origin o, err_code code, err *e,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
int mcl_text_verror(const mcl_text *t, mcl_origin o, err_code code, err *e,
                    const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/** The same as a warning. */
void mcl_text_vwarn(const mcl_text *t, mcl_origin o, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
void mcl_text_warn(const mcl_text *t, mcl_origin o, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
