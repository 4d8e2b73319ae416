/*
 * gen_bes.h - the family of random Boolean equation systems, and its options.
 */
#ifndef BESPOKE_GEN_BES_H
#define BESPOKE_GEN_BES_H

#include "tools/gen_family.h"

extern const gen_family gen_bes;
extern const option_group gen_bes_options;

#endif
