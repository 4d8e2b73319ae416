/*
 * bench_comm.h - messages through handlers, between threads and to oneself.
 */
#ifndef BESPOKE_BENCH_COMM_H
#define BESPOKE_BENCH_COMM_H

#include "bench/bench.h"

extern const bench_case bench_comm_one, bench_comm_two, bench_comm_two_hops;

#endif
