/*
 * Formulas with mistakes in them, from a seed: each is read, or refused with a place and a
 * sentence.  Run it under AddressSanitizer; BESPOKE_TEST_CASES and BESPOKE_TEST_SEED change
 * how many and which.
 */
#include "lang/mcl_equations.h"
#include "tests/mcl_case.h"

#include <CUnit/CUnit.h>
#include <ctype.h>
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

/* name:line:column: a sentence; */
static bool is_located(const char *message)
{
    const char *p = strchr(message, ':');
    for (int i = 0; p && i < 2; i++) {
        if (!isdigit((unsigned char)*++p)) return false;
        p += strspn(p, "0123456789");
        if (*p != ':') return false;
    }
    return p && p[1] == ' ' && strlen(p) > 10;
}

typedef struct tally {
    unsigned read, wrong_text, refused;
} tally;

static bool one_text(const char *text, tally *t)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mcl *f;
    mcl_equations *q = NULL;
    int rc = mcl_parse(&f, &m, text, NULL, &e);
    if (rc == 0) rc = mcl_equations_of(&q, &m, f, &e);
    bool fine = rc == 0 || is_located(e.text);
    fine = fine && (rc == 0 || rc == ERR_INPUT || rc == ERR_REFUSED);
    t->read += rc == 0, t->wrong_text += rc == ERR_INPUT, t->refused += rc == ERR_REFUSED;
    mcl_equations_close(q);
    mcl_close(f);
    return fine && m.now == 0;
}

static void mutated_formulas_are_read_or_located(void)
{
    const char *given = getenv("BESPOKE_TEST_SEED"), *many = getenv("BESPOKE_TEST_CASES");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    uint64_t cases = many ? strtoull(many, NULL, 10) : 120000;
    tally t = { 0 };
    unsigned wrong = 0;
    static char text[TEXT_MAX + 1];
    for (uint64_t i = 0; i < cases && wrong < 5; i++) {
        mcl_random r = { (seed + i) << 32 };
        make(&r, text);
        if (one_text(text, &t)) continue;
        printf("\nseed %llu: %s\n", (unsigned long long)(seed + i), text);
        wrong++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    printf("seeds %llu to %llu: %u read, %u located errors, %u alternating ",
           (unsigned long long)seed, (unsigned long long)(seed + cases - 1), t.read,
           t.wrong_text, t.refused);
    CU_ASSERT(t.read * 10 > cases && t.wrong_text * 10 > cases && t.refused > 0);
}

CU_TestInfo test_mcl_fuzz[] = { { "mutated formulas are read or located",
                                  mutated_formulas_are_read_or_located },
                                CU_TEST_INFO_NULL };
