/*
 * fuzz_mcl.h - any bytes as a formula: the right verdict, or an error with a place.
 */
#ifndef BESPOKE_FUZZ_MCL_H
#define BESPOKE_FUZZ_MCL_H

#include "core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What became of an input. */
typedef struct fuzz_mcl_end {
    err_code code; /* ERR_NONE, or why there are no equations */
    bool solved;   /* and its verdict is that of the definition */
} fuzz_mcl_end;

/**
 * NULL, or what is wrong, in words.  A formula that is read is solved with auto on a small
 * model and compared with its meaning, unless working that out by definition takes too long.
 */
const char *fuzz_mcl_one(const uint8_t *data, size_t bytes, fuzz_mcl_end *end);

#endif
