/*
 * gen_networks.h - the families of networks, each in gen_<family>.c; docs/FAMILIES.md says what
 * they model.
 */
#ifndef BESPOKE_GEN_NETWORKS_H
#define BESPOKE_GEN_NETWORKS_H

#include "tools/gen_family.h"

extern const gen_family gen_philosophers, gen_abp, gen_brp, gen_election, gen_cycles,
    gen_peterson, gen_fifo;

#endif
