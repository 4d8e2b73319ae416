/*
 * random.h - reproducible chance: the same numbers from the same seed on every machine.
 *
 * xoshiro256** (Blackman, Vigna, ACM TOMS 47, 2021), its state filled by splitmix64.  Whole
 * numbers only, so that what is decided here never depends on how a machine rounds.  Not
 * for secrets.
 */
#ifndef BESPOKE_RANDOM_H
#define BESPOKE_RANDOM_H

#include <stdint.h>

typedef struct random_stream {
    uint64_t s[4]; /* never all zero */
} random_stream;

/* The next word of splitmix64; `x` counts. */
static inline uint64_t random_split(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Stream number `stream` of a seed: streams of one seed are independent of each other. */
static inline random_stream random_open(uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;
    x = random_split(&x) ^ stream;
    random_stream r;
    for (int i = 0; i < 4; i++) r.s[i] = random_split(&x);
    return r;
}

static inline uint64_t random_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* 64 random bits. */
static inline uint64_t random_next(random_stream *r)
{
    uint64_t *s = r->s, result = random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* A whole number below `bound`, which is 1 .. 2^32; even but for one part in 2^32 / bound. */
static inline uint64_t random_below(random_stream *r, uint64_t bound)
{
    return ((random_next(r) >> 32) * bound) >> 32;
}

#endif
