/*
 * exp_check.h - what a network says that cannot have been meant.
 */
#ifndef BESPOKE_EXP_CHECK_H
#define BESPOKE_EXP_CHECK_H

#include "lang/exp_language.h"

/** Warn of interfaces that nothing can meet; what needs the labels of the components is not
    looked at.  0, or ERR_INPUT with a place. */
int exp_check(const exp_node *root, exp_language language, const log_sink *log, err *e);

#endif
