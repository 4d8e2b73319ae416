/*
 * build_info.h - what this executable was made from.
 */
#ifndef BESPOKE_BUILD_INFO_H
#define BESPOKE_BUILD_INFO_H

#include <stddef.h>

typedef struct build_library {
    const char *name, *version;
} build_library;

const char *build_info_version(void);  /* "0.1.0" */
const char *build_info_commit(void);   /* "85ebc9c6d7e8", "...-dirty", or "unknown" */
const char *build_info_compiler(void); /* "gcc 12.2.0, Release" */

/* The i-th library compiled against, MPI first; a NULL name past the last one. */
build_library build_info_library(size_t i);

#endif
