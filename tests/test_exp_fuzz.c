/*
 * Networks with mistakes in them, from a seed: each becomes a tree that can be printed and
 * read again, or is refused with a place and a sentence.  BESPOKE_TEST_CASES and
 * BESPOKE_TEST_SEED change how many and which.
 */
#include "core/ids.h"
#include "tests/fuzz/fuzz_exp.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 6000 };

#if defined __SANITIZE_ADDRESS__
enum { CASES = 100000 };
#else
enum { CASES = 20000 };
#endif

static const char *const pieces[] = {
    "hide ",     "cut ",
    "prio ",     "rename ",
    "par ",      "in ",
    "end ",      "end par ",
    "end hide ", "using ",
    "using r ",  "all ",
    "but ",      "gate ",
    "label ",    "total ",
    "partial ",  "single ",
    "multiple ", "behaviour ",
    "lotos ",    "ccs ",
    "csp ",      "mcrl ",
    "comm ",     "a ",
    "\"b\" ",    "\"in.exp\" ",
    "x ",        "\"main2.exp\"",
    "\"A !1\" ", "\"loop.exp\"",
    "\"[a\" ",   "\"\\(\\)\\1\" ",
    "|| ",       "||| ",
    "|[",        "]|",
    "[|{",       "}|]",
    "[[",        "]]",
    "[",         "]",
    "{",         "}",
    "(",         ")",
    "(*",        "*)",
    "--",        "\n",
    "->",        "<-",
    ">",         "#3",
    "#",         ",",
    "_ ",        "*",
    "/",         "=",
    "|",         "\\ ",
    "\"",        "'",
    "\xff",      "\x01",
    "A_ ",       "99999999999999999999",
    "\\",        ".exp\"",
};

static void insert(char *text, size_t at, const char *piece)
{
    size_t length = strlen(text), more = strlen(piece);
    if (length + more >= TEXT_MAX) return;
    memmove(text + at + more, text + at, length - at + 1);
    memcpy(text + at, piece, more);
}

static void cut(char *text, size_t at, size_t bytes)
{
    size_t length = strlen(text);
    if (bytes > length - at) bytes = length - at;
    memmove(text + at, text + at + bytes, length - at - bytes + 1);
}

static void mutate(random_stream *r, char *text)
{
    size_t length = strlen(text), at = (size_t)random_below(r, length + 1);
    char copy[64];
    switch (random_below(r, 6)) {
    case 0:
        cut(text, at, 1 + (size_t)random_below(r, 4));
        break;
    case 1:
        cut(text, at, (size_t)random_below(r, 60));
        break;
    case 2:
        snprintf(copy, sizeof copy, "%.*s", (int)random_below(r, 60), text + at);
        insert(text, (size_t)random_below(r, length + 1), copy);
        break;
    case 3:
        if (length > 0) text[at % length] = (char)(1 + random_below(r, 255));
        break;
    default:
        insert(text, at, pieces[random_below(r, COUNT_OF(pieces))]);
    }
}

static void make(random_stream *r, char *text)
{
    exp_case_text x = exp_case_random(r);
    snprintf(text, TEXT_MAX, "%s", x.text);
    for (uint64_t n = random_below(r, 6); n > 0; n--) mutate(r, text);
    free(x.text);
    free(x.tree);
}

static void mutated_networks_are_read_or_located(void)
{
    const char *given = getenv("BESPOKE_TEST_SEED"), *many = getenv("BESPOKE_TEST_CASES");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    uint64_t cases = many ? strtoull(many, NULL, 10) : CASES;
    uint64_t wrong = 0, read = 0, refused = 0;
    static char text[TEXT_MAX + 1];
    exp_case c = fuzz_exp_folder();
    for (uint64_t i = 0; i < cases && wrong < 5; i++) {
        random_stream r = random_open(seed + i, 4);
        err_code code;
        make(&r, text);
        const char *what = fuzz_exp_one(&c, (const uint8_t *)text, strlen(text), &code);
        read += code == ERR_NONE;
        refused += code == ERR_INPUT;
        if (what == NULL) continue;
        printf("\nseed %" PRIu64 ": %s: %s\n", seed + i, what, text);
        wrong++;
    }
    exp_case_close(&c);
    CU_ASSERT_EQUAL(wrong, 0);
    printf("seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " read, %" PRIu64
           " located errors ",
           seed, seed + cases - 1, read, refused);
    CU_ASSERT_EQUAL(read + refused, cases);
    CU_ASSERT(read * 10 > cases && refused * 10 > cases);
}

CU_TestInfo test_exp_fuzz[] = { { "mutated networks are read or located",
                                  mutated_networks_are_read_or_located },
                                CU_TEST_INFO_NULL };
