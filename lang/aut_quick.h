/*
 * aut_quick.h - the usual line of an AUT file, read in a few nanoseconds.
 *
 * Taken are `(from,"label",to)` and `(from, label, to)` with at most one blank after a comma,
 * numbers of at most eight digits, and LF or CRLF.  Everything else returns NULL and is left
 * to aut_line_read, which then finds it legal or says why not; so this one may be as
 * impatient as it likes, but never accept a line that the other would read differently.
 *
 * Numbers are converted eight digits at a time: a word of eight characters is shifted so
 * that its digits stand at the end, and three multiplications add them up pairwise.
 */
#ifndef BESPOKE_AUT_QUICK_H
#define BESPOKE_AUT_QUICK_H

#include "lang/aut_line.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline uint64_t aut_quick_word(const char *at)
{
    uint64_t w;
    memcpy(&w, at, sizeof w);
    return w;
}

/* The high bit of each byte that is not a decimal digit. */
static inline uint64_t aut_quick_non_digits(uint64_t w)
{
    uint64_t x = w ^ 0x3030303030303030u; /* digits become 0 .. 9 */
    return ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
}

/* The value of eight digits, the first in the lowest byte; bytes that are 0 count as '0'. */
static inline uint64_t aut_quick_value(uint64_t w)
{
    w &= 0x0f0f0f0f0f0f0f0fu;
    w = (w * 10 + (w >> 8)) & 0x00ff00ff00ff00ffu;
    w = (w * 100 + (w >> 16)) & 0x0000ffff0000ffffu;
    return (w * 10000 + (w >> 32)) & 0xffffffffu;
}

/* The newline at or behind `at`; there is one, and 16 bytes behind it may be read. */
static inline const char *aut_quick_line_end(const char *at)
{
#ifdef __SSE2__
    const __m128i newline = _mm_set1_epi8('\n');
    for (;; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        int found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, newline));
        if (found) return at + __builtin_ctz((unsigned)found);
    }
#else
    return rawmemchr(at, '\n');
#endif
}

/* The number that begins at *at, or its first eight digits; moves *at behind them. */
static inline bool aut_quick_number(const char **at, uint64_t *out)
{
    uint64_t w = aut_quick_word(*at), other = aut_quick_non_digits(w);
    if ((other & 0x80) != 0) return false;
    unsigned digits = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    *out = aut_quick_value(w << (64 - 8 * digits));
    *at += digits;
    return true;
}

/* The number that ends before *end, or its last eight digits; moves *end to the first. */
static inline bool aut_quick_number_before(const char **end, uint64_t *out)
{
    uint64_t w = aut_quick_word(*end - 8), other = aut_quick_non_digits(w);
    if (other >> 63 != 0) return false;
    unsigned rest = other ? 64 - (unsigned)__builtin_clzll(other) : 0; /* other bits */
    *out = aut_quick_value(w >> rest << rest);
    *end -= (64 - rest) / 8;
    return true;
}

/* The label between `at` and `end`, without blanks at either side. */
static inline bool aut_quick_label(aut_line *out, const char *at, const char *end)
{
    if (at >= end) return false;
    if (*at == '"') {
        if (end - at < 2 || end[-1] != '"') return false;
        out->label = at + 1;
        out->label_bytes = (size_t)(end - at) - 2;
        return true;
    }
    out->label = at;
    out->label_bytes = (size_t)(end - at);
    return *at > ' ' && end[-1] > ' ';
}

/**
 * Read the line at `at` and return where the next one begins, or NULL.
 * 8 bytes before `at` and 16 behind the line's '\n' must be readable.
 */
static inline const char *aut_quick_read(aut_line *out, const char *at)
{
    if (*at != '(') return NULL;
    at++;
    out->from_at = at;
    if (!aut_quick_number(&at, &out->from) || *at != ',') return NULL;
    at++;
    at += *at == ' ';
    const char *line_end = aut_quick_line_end(at), *end = line_end;
    end -= end[-1] == '\r';
    if (end[-1] != ')') return NULL;
    end--;
    if (end <= at || !aut_quick_number_before(&end, &out->to)) return NULL;
    out->to_at = end;
    end -= end[-1] == ' ';
    if (end - 1 <= at || end[-1] != ',') return NULL;
    return aut_quick_label(out, at, end - 1) ? line_end + 1 : NULL;
}

#endif
