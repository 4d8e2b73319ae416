/*
 * Formulas with mistakes in them, from a seed: each is read and solved rightly, or refused
 * with a place and a sentence.  Run it under AddressSanitizer; BESPOKE_TEST_CASES and BESPOKE_TEST_SEED change
 * how many and which.
 */
#include "core/ids.h"
#include "tests/fuzz/fuzz_mcl.h"
#include "tests/mcl_case.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 3000 };

static const char *const seeds[] = {
    "macro NEVER (R) = [ true* . (R) ] false end_macro NEVER (\"a\" . \"b\")",
    "library standard.mcl, actl.mcl end_library AFTER_1_INEVITABLE_2 (\"a\", 'b.*' # "
    "\"c\")",
    "macro A (P, Q) = mu X . ((P) or <Q> X) end_macro A (A (true, \"a\"), not "
    "'x\\(y\\)*')",
    "nu X . ([true] X and <true* . (\"a\" | nil)+>@ or [\"i\"?] -|) (* comment *)",
    "macro B () = true end_macro macro B (P) = (P) equ B () end_macro B (B (B (false)))",
};

static const char *const pieces[] = {
    "mu X . ",
    "nu Y . ",
    "X",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "@",
    "-|",
    "\"a\"",
    "'b.*'",
    "'",
    "\"",
    "#",
    "*",
    "+",
    "?",
    ".",
    "|",
    "and ",
    "or ",
    "implies ",
    "equ ",
    "not ",
    "true",
    "false",
    "nil",
    "macro M (P) = P end_macro ",
    "M (",
    "library standard.mcl end_library ",
    "end_macro ",
    "(*",
    "*)",
    ",",
    "'\\(a\\{3,9\\}\\)*'",
    "\\",
    "\n",
    "'\\{'",
    "'[[:alpha:]'",
    "\xc3\xa9",
    "\x01",
    "NEVER (",
    "EU_A (",
    "'[a-'",
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

static void mutate(mcl_random *r, char *text)
{
    size_t length = strlen(text), at = mcl_random_below(r, (uint32_t)length + 1);
    char copy[64];
    switch (mcl_random_below(r, 5)) {
    case 0:
        cut(text, at, 1 + mcl_random_below(r, 4));
        break;
    case 1:
        cut(text, at, mcl_random_below(r, 60));
        break;
    case 2:
        snprintf(copy, sizeof copy, "%.*s", (int)mcl_random_below(r, 60), text + at);
        insert(text, mcl_random_below(r, (uint32_t)length + 1), copy);
        break;
    case 3:
        if (length > 0) text[at % length] = (char)(1 + mcl_random_below(r, 255));
        break;
    default:
        insert(text, at, pieces[mcl_random_below(r, COUNT_OF(pieces))]);
    }
}

static void make(mcl_random *r, char *text)
{
    uint32_t from = mcl_random_below(r, COUNT_OF(seeds) + 4);
    if (from < COUNT_OF(seeds)) strcpy(text, seeds[from]);
    else mcl_case_formula(r, text, 400);
    for (uint32_t n = mcl_random_below(r, 6); n > 0; n--) mutate(r, text);
}

static void mutated_formulas_are_solved_or_located(void)
{
    const char *given = getenv("BESPOKE_TEST_SEED"), *many = getenv("BESPOKE_TEST_CASES");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    uint64_t cases = many ? strtoull(many, NULL, 10) : 200000;
    unsigned wrong = 0, read = 0, wrong_text = 0, refused = 0, solved = 0;
    static char text[TEXT_MAX + 1];
    for (uint64_t i = 0; i < cases && wrong < 5; i++) {
        mcl_random r = { (seed + i) << 32 };
        make(&r, text);
        fuzz_mcl_end end;
        const char *what = fuzz_mcl_one((const uint8_t *)text, strlen(text), &end);
        read += end.code == ERR_NONE;
        wrong_text += end.code == ERR_INPUT;
        refused += end.code == ERR_REFUSED;
        solved += end.solved;
        if (what == NULL) continue;
        printf("\nseed %llu: %s: %s\n", (unsigned long long)(seed + i), what, text);
        wrong++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    printf("seeds %llu to %llu: %u read, %u of them solved, %u located errors, %u "
           "alternating ",
           (unsigned long long)seed, (unsigned long long)(seed + cases - 1), read, solved,
           wrong_text, refused);
    CU_ASSERT_EQUAL(read + wrong_text + refused, cases);
    CU_ASSERT(read * 10 > cases && wrong_text * 10 > cases && refused > 0);
    CU_ASSERT(solved * 10 > 9 * (uint64_t)read);
}

CU_TestInfo test_mcl_fuzz[] = { { "mutated formulas are solved or located",
                                  mutated_formulas_are_solved_or_located },
                                CU_TEST_INFO_NULL };
