/*
 * test_bes_fuzz.c - mutated .bes texts, from a seed: errors with a place or right verdicts.
 * Texts are changed byte by byte and word by word, so that many still make sense.
 */
#include "core/hash.h"
#include "core/ids.h"
#include "tests/fuzz/fuzz_bes.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 300000, TEXT_MAX = 2048 };

static const char *const seeds[] = {
    "block nu B0 is X0 = X1 and X0_1   X1 = X0 or X1 end block\n"
    "block mu B1 mode 2 is X0 = X1 or X2  X1 = false  X2 = X0 end block\n",
    "block mu B0 unique mode 4 is (* c *) X0 = X1 or X2 or X3 X1 = X0 and X2 and X1_1 "
    "X2 = X3 X3 = X1_2 end block block nu B1 is X0 = true X1 = X0 and X1 end block "
    "block mu B2 is X1 = false or X0_1 end block",
    "block nu B7 is X12 = X12 end block block mu B0 is X0 = X12_7 or X0 end block",
    "block mu B0 is X0 = X1 X1 = X2 X2 = X3 X3 = X0 or X4 X4 = X2 or true end block",
    "block mu B0 is end block",
};

static const char *const words[] = {
    "block",  "mu",   "nu",         "B0",        "B1",
    "B2",     "X0",   "X1",         "X2",        "X0_1",
    "X1_2",   "X1_0", "is",         "end",       "or",
    "and",    "true", "false",      "=",         "mode 3",
    "unique", "(*",   "*)",         "X",         "_",
    "X0 =",   "X9=",  "4294967294", "end block", "block mu B3 is X0 = X0 end block",
};

typedef struct mutant {
    uint64_t state;
    size_t bytes;
    char text[TEXT_MAX];
} mutant;

static size_t draw(mutant *t, size_t below)
{
    t->state += 0x9e3779b97f4a7c15u;
    return (size_t)(hash_word(t->state) % below);
}

/* Put `bytes` bytes in the place of `old` ones. */
static void replace(mutant *t, size_t at, size_t old, const char *text, size_t bytes)
{
    if (t->bytes - old + bytes > TEXT_MAX) return;
    memmove(t->text + at + bytes, t->text + at + old, t->bytes - at - old);
    memcpy(t->text + at, text, bytes);
    t->bytes += bytes - old;
}

/* The stretch of one word, or of the blanks between two. */
static void find_word(const mutant *t, size_t near, size_t *from, size_t *to)
{
    *from = near, *to = near;
    while (*from > 0 && t->text[*from - 1] != ' ') --*from;
    while (*to < t->bytes && t->text[*to] != ' ') ++*to;
}

static void mutate(mutant *t)
{
    char byte[1] = { (char)draw(t, 256) }, copy[64];
    size_t at = draw(t, t->bytes + 1), from, to, other, end;
    const char *word = words[draw(t, COUNT_OF(words))];
    find_word(t, at, &from, &to);
    switch (draw(t, 8)) {
    case 0: /* one byte changed, or added */
        replace(t, at, at < t->bytes && draw(t, 2), byte, 1);
        break;
    case 1: /* a stretch left out */
        replace(t, at, draw(t, t->bytes - at + 1), "", 0);
        break;
    case 2: /* a word more */
        replace(t, from, 0, " ", 1);
        replace(t, from, 0, word, strlen(word));
        break;
    case 3: /* the end cut off */
        if (draw(t, 4) == 0) t->bytes = at;
        break;
    case 4: /* a digit in the place of a digit */
        for (; at < t->bytes; at++)
            if (t->text[at] >= '0' && t->text[at] <= '9') break;
        if (at < t->bytes) t->text[at] = (char)('0' + draw(t, 4));
        break;
    case 5: /* a word copied to another place */
        find_word(t, draw(t, t->bytes + 1), &other, &end);
        if (end - other > sizeof copy) break;
        memcpy(copy, t->text + other, end - other);
        replace(t, from, to - from, copy, end - other);
        break;
    default: /* another word in its place */
        replace(t, from, to - from, word, strlen(word));
    }
}

static void dump(const mutant *t, uint64_t number, const char *wrong)
{
    char path[64];
    snprintf(path, sizeof path, "failed-fuzz-%" PRIu64 ".bes", number);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(t->text, 1, t->bytes, f);
        fclose(f);
    }
    printf("\ninput %" PRIu64 ": %s; see %s\n", number, wrong, path);
    CU_FAIL("an input was not handled");
}

static void any_text_is_an_error_with_a_place_or_solved(void)
{
    uint64_t solved = 0;
    for (uint64_t i = 0; i < INPUTS && CU_get_number_of_failures() < 5; i++) {
        mutant t = { .state = hash_word(i + 1) };
        const char *seed = seeds[i % COUNT_OF(seeds)];
        int one;
        t.bytes = strlen(seed);
        memcpy(t.text, seed, t.bytes);
        for (size_t n = 1 + draw(&t, 4); n > 0; n--) mutate(&t);
        char *exact = malloc(t.bytes ? t.bytes : 1); /* reading behind it is noticed */
        CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
        memcpy(exact, t.text, t.bytes);
        const char *wrong = fuzz_bes_one((const uint8_t *)exact, t.bytes, &one);
        if (wrong) dump(&t, i, wrong);
        solved += (uint64_t)one;
        free(exact);
    }
    printf("%d texts, %" PRIu64 " of them systems ... ", INPUTS, solved);
    CU_ASSERT(solved > INPUTS / 50); /* not only nonsense was tried */
}

CU_TestInfo test_bes_fuzz[] = {
    { "any text is an error with a place, or solved",
      any_text_is_an_error_with_a_place_or_solved },
    CU_TEST_INFO_NULL,
};
