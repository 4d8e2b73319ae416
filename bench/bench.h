/*
 * bench.h - what a benchmark is, in C; bench_main.cc is the only file that knows Google
 * Benchmark.  A new one is a constant and a line in bench_cases.c.
 */
#ifndef BESPOKE_BENCH_H
#define BESPOKE_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_case {
    const char *name;
    const char *item;    /* what is counted: "transition" */
    void *(*open)(void); /* prepare, not timed; NULL: cannot run here, said on stderr */
    uint64_t (*run)(void *self); /* one timed round; the number of items it worked on */
    void (*close)(void *self);
} bench_case;

extern const bench_case *const bench_cases[];
extern const size_t bench_case_count;

#ifdef __cplusplus
}
#endif
#endif
