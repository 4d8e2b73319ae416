/*
 * mcl.h - property formulas: the modal mu-calculus with regular modalities (MCL version 3).
 *
 * The text goes through five steps, each a file: mcl_expand (macros and libraries become
 * text), mcl_lexer and mcl_parser (text becomes a tree), mcl_check (scopes, negations,
 * action formulas), and from there mcl_equations.h (blocks of fixed-point equations).
 * docs/MCL.md describes the language.
 */
#ifndef BESPOKE_MCL_H
#define BESPOKE_MCL_H

#include "core/log.h"
#include "core/mem.h"
#include "lang/mcl_tree.h"

typedef struct mcl mcl;

typedef struct mcl_options {
    const char
        *name; /* of the text in messages; NULL = "formula"; files have their own */
    const char *const *library_paths; /* folders to look for libraries in */
    size_t library_path_count;
    bool one_text; /* `library` and `macro` are refused: nothing but the text counts */
    const log_sink *log; /* warnings go here; NULL = nobody is told */
} mcl_options;

/**
 * Parse and check the formula in `text`.  `o` may be NULL; text and options are copied or
 * not used afterwards.  Reads library files, never writes.
 * 0, or ERR_INPUT with `name:line:column: what is wrong; expected ...`, ERR_LIMIT.
 */
int mcl_parse(mcl **out, mem *m, const char *text, const mcl_options *o, err *e);

/** The same for a file, plain or compressed; libraries may lie beside it. */
int mcl_read(mcl **out, mem *m, const char *path, const mcl_options *o, err *e);

/** Accepts NULL.  Everything made from this formula must be closed before. */
void mcl_close(mcl *f);

/* The formula as a tree, and its text after all macros are expanded. */
const mcl_node *mcl_root(const mcl *f);
const char *mcl_expanded(const mcl *f, size_t *bytes);

/* Number of nodes of the tree: their `number` is below it. */
uint32_t mcl_node_count(const mcl *f);

/**
 * Where a node stands, as `file:line:column` with the macro it comes from, for messages.
 * `into` gets at most `bytes` with the NUL.
 */
void mcl_where(const mcl *f, const mcl_node *n, char *into, size_t bytes);

/** Record an error at a node, as the reader itself would; returns the recorded code. */
int mcl_error(const mcl *f, const mcl_node *n, err_code code, err *e, const char *format,
              ...) __attribute__((format(printf, 5, 6)));

/** The same as a warning in the log that mcl_parse was given. */
void mcl_warn(const mcl *f, const mcl_node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
