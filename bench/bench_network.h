/*
 * bench_network.h - the moves of a network.
 */
#ifndef BESPOKE_BENCH_NETWORK_H
#define BESPOKE_BENCH_NETWORK_H

#include "bench/bench.h"

extern const bench_case bench_network;

#endif
