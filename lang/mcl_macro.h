/*
 * mcl_macro.h - macro definitions, for mcl_expand.c only.
 */
#ifndef BESPOKE_MCL_MACRO_H
#define BESPOKE_MCL_MACRO_H

#include "lang/mcl_expand.h"
#include "lang/mcl_scan.h"

enum { MCL_MACRO_PARAMETERS_MAX = 64 };

struct mcl_macro {
    const char *name;
    const char **parameter; /* `arity` names */
    uint32_t arity;
    mcl_range at;    /* its name, where it is defined */
    mcl_range body;  /* between = and end_macro */
    uint32_t number; /* macros with smaller numbers were defined before */
};

/** Read a definition; the word `macro` was the last token of `s`.  Overriding warns. */
int mcl_macro_define(mcl_macros *known, mcl_scan *s, err *e);

/**
 * The macro that `name` with `arity` arguments means, of those numbered below `limit`; the
 * last definition wins.  NULL with ERR_INPUT at `at` and a hint.
 */
const mcl_macro *mcl_macro_find(const mcl_macros *known, const mcl_text *t,
                                const char *name, uint32_t arity, uint32_t limit,
                                mcl_origin at, err *e);

#endif
