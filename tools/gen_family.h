/*
 * gen_family.h - read this to write a family of models for `bespoke gen`.
 * A family is one constant and one line in gen_families, which stands in cmd_gen.c.
 */
#ifndef BESPOKE_GEN_FAMILY_H
#define BESPOKE_GEN_FAMILY_H

#include "tools/command.h"

typedef struct gen_family {
    const char *name;            /* "vlts": the first operand of `bespoke gen` */
    const char *doc;             /* one line, lower case, no full stop */
    const char *synopsis;        /* operands after the name: "NAME" */
    const option_group *options; /* its own, refused with other families */
    int (*lists)(tool *t,
                 err *e); /* without operands: what there is; NULL = run does all */
    int (*run)(tool *t, err *e);
} gen_family;

extern const gen_family *const gen_families[]; /* ends with NULL */

#endif
