/*
 * exp_check.h - what a network says that cannot have been meant.
 */
#ifndef BESPOKE_EXP_CHECK_H
#define BESPOKE_EXP_CHECK_H

#include "lang/exp_language.h"

/** Warn of interfaces that nothing can meet; what needs the labels of the components is not
    looked at.  0; ERR_INPUT with a place; ERR_LIMIT. */
int exp_check(const exp_node *root, exp_language language, const exp_options *o, err *e);

/** Warn of a name or pattern for gates if no gate is called so, for it has offers; `instead`
    (", or the word label before par", or nothing) is what may have been meant. */
void exp_check_gate(exp_text name, bool pattern, const char *instead, exp_place at,
                    const log_sink *log);

#endif
