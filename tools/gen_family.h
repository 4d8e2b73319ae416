/*
 * gen_family.h - read this to write a family of models for `bespoke gen`.
 * A family is one constant and one line in gen_families, which stands in cmd_gen.c.
 */
#ifndef BESPOKE_GEN_FAMILY_H
#define BESPOKE_GEN_FAMILY_H

#include "tools/command.h"

/* An option that a family takes; several families may take the same one. */
typedef struct gen_parameter {
    const char *name;
    uint64_t otherwise;
    uint64_t min, max; /* here; both 0: the option's own table says enough */
} gen_parameter;

typedef struct gen_family {
    const char *name;           /* "vlts": the first operand of `bespoke gen` */
    const char *doc;            /* one line, lower case, no full stop */
    const char *synopsis;       /* operands after the name: "NAME" */
    const gen_parameter *takes; /* ends with a NULL name; all others are refused */
    int (*lists)(tool *t,
                 err *e); /* without operands: what there is; NULL = run does all */
    int (*run)(tool *t, err *e);
} gen_family;

extern const gen_family *const gen_families[]; /* ends with NULL */

#endif
