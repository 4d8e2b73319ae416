/*
 * mcl_expand.h - macros and libraries become plain text.
 *
 *     macro NAME (P, Q) = text end_macro        library file.mcl, other.mcl end_library
 *     NAME (text, text)                         is replaced by the body, P and Q by the texts
 */
#ifndef BESPOKE_MCL_EXPAND_H
#define BESPOKE_MCL_EXPAND_H

#include "lang/mcl.h"
#include "lang/mcl_text.h"

/* A definition; kept for hints. */
typedef struct mcl_macro mcl_macro;
typedef struct mcl_macros {
    VEC(const mcl_macro *) all; /* in the order of definition; in the arena */
} mcl_macros;

/**
 * Expand the first file of `t` into t->expanded.  Reads library files.
 * `known` is filled and belongs to the caller: mcl_macros_release.
 * 0, or ERR_INPUT with the place, ERR_LIMIT.
 */
int mcl_expand(mcl_text *t, mcl_macros *known, const mcl_options *o, err *e);

void mcl_macros_release(mcl_macros *known, mem *m);

/* Is there a macro of this name, whatever it takes? */
bool mcl_macros_has(const mcl_macros *known, const char *name);

#endif
