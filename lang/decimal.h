/*
 * decimal.h - numbers into text, without a branch on the number of digits.
 *
 * Idea    Eight digits at a time in the bytes of one word: split by 10000, by 100 and by 10,
 *         both halves at once, then shift the leading zeros out.  The lengths of random
 *         state numbers cannot be predicted, so a loop over digits costs twice as much.
 * Source  P. Khuong, "How to print integers really fast", 2017.
 */
#ifndef BESPOKE_DECIMAL_H
#define BESPOKE_DECIMAL_H

#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first digit is byte 0");

enum { DECIMAL_MAX = 10, DECIMAL_ROOM = 16 }; /* digits; bytes that may be touched */

/* The eight digits of x < 10^8, the first in the lowest byte. */
static inline uint64_t decimal_eight(uint32_t x)
{
    uint64_t halves = x / 10000 | (uint64_t)(x % 10000) << 32;
    uint64_t top = halves * 10486 >> 20 & 0x0000007f0000007fu; /* each / 100 */
    uint64_t pairs = top | (halves - 100 * top) << 16;
    uint64_t tens = pairs * 103 >> 10 & 0x000f000f000f000fu; /* each / 10 */
    return tens | (pairs - 10 * tens) << 8;
}

/* Write `x` without leading zeros; returns where the digits end.  DECIMAL_ROOM bytes from
   `at` may be overwritten. */
static inline char *decimal_put(char *at, uint32_t x)
{
    if (x >= 100000000) {
        at = decimal_put(at, x / 100000000); /* one or two digits; once, no deeper */
        uint64_t low = decimal_eight(x % 100000000) | 0x3030303030303030u;
        memcpy(at, &low, 8);
        return at + 8;
    }
    uint64_t digits = decimal_eight(x);
    unsigned zeros = (unsigned)__builtin_ctzll(digits | 1ull << 63) & 56; /* bits, < 64 */
    digits = (digits | 0x3030303030303030u) >> zeros;
    memcpy(at, &digits, 8);
    return at + 8 - zeros / 8;
}

#endif
