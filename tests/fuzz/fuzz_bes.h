/*
 * fuzz_bes.h - any bytes as a .bes text: a located error, or a verdict that is right.
 */
#ifndef BESPOKE_FUZZ_BES_H
#define BESPOKE_FUZZ_BES_H

#include <stddef.h>
#include <stdint.h>

/** NULL, or what is wrong, in words.  `*solved`: the text was a system. */
const char *fuzz_bes_one(const uint8_t *data, size_t bytes, int *solved);

#endif
