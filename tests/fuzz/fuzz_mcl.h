/*
 * fuzz_mcl.h - any bytes as a formula: equations, or an error with a place.
 */
#ifndef BESPOKE_FUZZ_MCL_H
#define BESPOKE_FUZZ_MCL_H

#include "core/err.h"

#include <stddef.h>
#include <stdint.h>

/** NULL, or what is wrong, in words.  `*how`: ERR_NONE, or why there are no equations. */
const char *fuzz_mcl_one(const uint8_t *data, size_t bytes, err_code *how);

#endif
