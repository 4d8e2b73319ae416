/*
 * ratio.h - what the programs share that measure beside a plain search.
 */
#ifndef BESPOKE_RATIO_H
#define BESPOKE_RATIO_H

#include "algorithms/search.h"
#include "core/progress.h"

#include <stdio.h>
#include <stdlib.h>

static inline void ratio_stop(const char *program, const err *e)
{
    fprintf(stderr, "%s: %s\n", program, e->text);
    exit(1);
}

static inline int ratio_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of numbers that are sorted by it. */
static inline double ratio_median(double *at, int count)
{
    qsort(at, (size_t)count, sizeof *at, ratio_compare);
    return at[count / 2];
}

/* A search of all that is reachable, by this clock. */
static inline double ratio_search(const char *program, const lts *g,
                                  double (*clock)(void))
{
    search s;
    err e = ERR_INIT;
    double start = clock();
    if (search_run(&s, g, NULL, &e) != 0) ratio_stop(program, &e);
    double took = clock() - start;
    search_close(&s);
    return took;
}

#endif
