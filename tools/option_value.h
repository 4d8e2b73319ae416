/*
 * option_value.h - the argument of an option, checked to its last byte.
 */
#ifndef BESPOKE_OPTION_VALUE_H
#define BESPOKE_OPTION_VALUE_H

#include "tools/options.h"

/**
 * Read `text` as the option's kind wants it: unsigned and size into `whole`, real and
 * seconds into `real`; the other kinds need nothing.
 * 0, or ERR_USAGE with a sentence: not a number, rubbish behind it, out of range.
 */
int option_value_read(const option_spec *s, const char *text, uint64_t *whole,
                      double *real, err *e);

#endif
