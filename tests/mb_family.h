/*
 * mb_family.h - the solver as a value: the real one, or one with a mistake (mb_mutants.cmake).
 */
#ifndef BESPOKE_MB_FAMILY_H
#define BESPOKE_MB_FAMILY_H

#include "algorithms/mb.h"

typedef struct mb_family {
    const char *name;
    int (*open)(mb_session **out, const mb_problem *p, const mb_options *o, err *e);
    void (*close)(mb_session *s);
    int (*run)(mb_session *s, mb_result *out, err *e);
    mb_known (*knows)(const mb_session *s, uint32_t here, vertex_id local);
} mb_family;

/* No mistake. */
static const mb_family mb_family_real = { "mb-dsolve", mb_open, mb_close, mb_run,
                                          mb_knows };

#endif
