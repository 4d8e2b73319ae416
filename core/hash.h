/*
 * hash.h - the two hash functions of the project, both from xxHash.
 * hash_bytes for tables in memory: the fastest there is, free to change with the library.
 * hash_file for checksums in files: XXH64, the same for ever and on every machine.
 */
#ifndef BESPOKE_HASH_H
#define BESPOKE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <xxhash.h>
#pragma GCC diagnostic pop

static inline uint64_t hash_bytes(const void *data, size_t bytes)
{
    return XXH3_64bits(data, bytes);
}

static inline uint64_t hash_file(const void *data, size_t bytes)
{
    return XXH64(data, bytes, 0);
}

/* A bijective mix of one word: every bit of the input reaches every bit of the result. */
static inline uint64_t hash_word(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

/* One of `parts` parts, by the upper half of a hash and without a division. */
static inline uint32_t hash_spread(uint64_t hash, uint32_t parts)
{
    return (uint32_t)(((hash >> 32) * parts) >> 32);
}

#endif
