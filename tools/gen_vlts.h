/*
 * gen_vlts.h - the family of VLTS surrogates, and its options.
 */
#ifndef BESPOKE_GEN_VLTS_H
#define BESPOKE_GEN_VLTS_H

#include "tools/gen_family.h"

extern const gen_family gen_vlts;
extern const option_group gen_vlts_options;

#endif
