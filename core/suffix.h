/*
 * suffix.h - what the end of a file's name tells.
 */
#ifndef BESPOKE_SUFFIX_H
#define BESPOKE_SUFFIX_H

#include <string.h>

/* The length of a name without a suffix; 0 when it does not end so, or is nothing else. */
static inline size_t suffix_stem(const char *name, size_t bytes, const char *suffix)
{
    size_t tail = strlen(suffix);
    if (bytes <= tail || memcmp(name + bytes - tail, suffix, tail) != 0) return 0;
    return bytes - tail;
}

#endif
