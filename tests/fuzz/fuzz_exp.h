/*
 * fuzz_exp.h - any bytes as a network: a tree that can be printed and read again, or an error
 * with a place.
 */
#ifndef BESPOKE_FUZZ_EXP_H
#define BESPOKE_FUZZ_EXP_H

#include "tests/exp_case.h"

/* A folder with automata, rules and networks to include. */
exp_case fuzz_exp_folder(void);

/** NULL, or what is wrong, in words; `code` gets what became of the input. */
const char *fuzz_exp_one(exp_case *c, const uint8_t *data, size_t bytes, err_code *code);

#endif
