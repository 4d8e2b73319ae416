/* solvers.h - the solvers of this folder, for the registry. */
#ifndef BESPOKE_SOLVERS_H
#define BESPOKE_SOLVERS_H

#include "algorithms/algorithm.h"

extern const algorithm alg_a1, alg_a2, alg_a3, alg_a4, alg_a4_bfs, alg_hello;

#endif
