/*
 * codec.h - what zlib and bzip2 need of us: memory on our account, counts that fit.
 *
 * They ask for blocks through call-backs and give them back without their size; the size
 * therefore stands in front of each block.
 */
#ifndef BESPOKE_CODEC_H
#define BESPOKE_CODEC_H

#include "core/mem.h"

#include <limits.h>

enum { CODEC_FRONT = 16 }; /* keeps the alignment of malloc */

/* `account` is the mem; NULL when it is exhausted, and the library then says so. */
static inline void *codec_get(void *account, size_t items, size_t size)
{
    err unused = ERR_INIT;
    size_t bytes = items * size + CODEC_FRONT;
    char *block = mem_get((mem *)account, bytes, &unused);
    if (block == NULL) return NULL;
    *(size_t *)(void *)block = bytes;
    return block + CODEC_FRONT;
}

static inline void codec_put(void *account, void *address)
{
    if (address == NULL) return;
    char *block = (char *)address - CODEC_FRONT;
    mem_put((mem *)account, block, *(size_t *)(void *)block);
}

/* As much of a buffer as the libraries' 32-bit counts can hold. */
static inline unsigned codec_clamp(size_t bytes)
{
    return bytes < UINT_MAX ? (unsigned)bytes : UINT_MAX;
}

#endif
