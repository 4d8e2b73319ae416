/*
 * test_bes.c - .bes texts: what is read, what is refused and where, what is written.
 */
#include "core/ids.h"
#include "lang/bes.h"
#include "lang/bes_random.h"
#include "lang/output.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mem account = { .limit = 0 };

static int parse(bes *b, const char *text, err *e)
{
    *e = ERR_INIT;
    return bes_parse(b, &account, "x.bes", text, strlen(text), NULL, e);
}

/* ---- what is read ------------------------------------------------------------------------- */

/* A system as one line: blocks with sign, number, what is kept of them, and rows. */
static void print(const bes *b, char *to)
{
    *to = '\0';
    for (uint32_t k = 0; k < b->block_count; k++) {
        const bes_block *x = &b->blocks[k];
        to += sprintf(to, "%s%u%s%u:", x->sign == GRAPH_MU ? "mu" : "nu", x->number,
                      x->unique ? "u" : "m", x->mode);
        for (vertex_id v = x->begin; v < x->end; v++) {
            to += sprintf(to, " %u=%c", b->variable[v], b->op[v] == GRAPH_OR ? '|' : '&');
            for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++)
                to += sprintf(to, "%u,", b->operand[i]);
        }
        to += sprintf(to, ";");
    }
}

static const struct {
    const char *text, *read;
} systems[] = {
    { "block mu B0 is X0 = true end block", "mu0m0: 0=&;" },
    { "block mu B0 is X0 = false end block", "mu0m0: 0=|;" },
    { "block nu B7 unique mode 3 is end block", "nu7u3:;" },
    { "block nu B0 is X0 = X1 and X0_1 X1 = X0 or X1 end block\n"
      "block mu B1 mode 2 is X0 = X1 or X2 X1 = false X2 = X0 end block",
      "nu0m0: 0=&1,2, 1=|0,1,;mu1m2: 0=|3,4, 1=| 2=|2,;" },
    /* constants are folded */
    { "block mu B0 is X0 = X0 or true X1 = X0 or false X2 = false and X0 end block",
      "mu0m0: 0=& 1=|0, 2=|;" },
    { "block mu B0 is X0 = true and true X1 = false or false X2 = true and X0 end block",
      "mu0m0: 0=& 1=| 2=|0,;" },
    /* one operand: the operator of the others, then that of the sign */
    { "block mu B0 is X0 = X1 and X0 X1 = X0 end block", "mu0m0: 0=&1,0, 1=&0,;" },
    { "block nu B0 is X0 = X1 or X0 X1 = X0 end block", "nu0m0: 0=|1,0, 1=|0,;" },
    { "block nu B0 is X0 = X1 X1 = X0 end block", "nu0m0: 0=&1, 1=&0,;" },
    { "block mu B0 is X0 = X1 X1 = X0 end block", "mu0m0: 0=|1, 1=|0,;" },
    /* callers come first, otherwise the order of the file */
    { "block mu B1 is X5 = true end block block nu B9 is end block "
      "block nu B0 is X0 = X5_1 end block",
      "nu9m0:;nu0m0: 0=&1,;mu1m0: 5=&;" },
    /* holes, any order, own block by its number, comments and white space */
    { "(* a (* b *)block(**)mu B4294967293 is X4294967293=X007_4294967293\r\n\tX7=X7end"
      " block",
      NULL },
    { "(* a (* b *)block(**)mu B4294967293 is X4294967293=X007_4294967293\r\n\tX7=X7(**)"
      "end\vblock(* end *)",
      "mu4294967293m0: 4294967293=|1, 7=|1,;" },
};

static void texts_are_read_as_meant(void)
{
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        char read[1024] = "";
        bes b;
        err e;
        bool good = parse(&b, systems[i].text, &e) == 0;
        if (good) print(&b, read);
        bool right = systems[i].read ? strcmp(read, systems[i].read) == 0 : !good;
        if (!right) printf("\n%s\nwas read as %s %s", systems[i].text, read, e.text);
        CU_ASSERT(right);
        bes_close(&b);
        CU_ASSERT_EQUAL(account.now, 0);
    }
}

/* ---- what is refused ------------------------------------------------------------------------ */

static const struct {
    const char *text, *message;
} errors[] = {
    { "", "x.bes:1:1: the text ends here; expected 'block'" },
    { "  \n (* nothing *) ", "x.bes:2:16: the text ends here; expected 'block'" },
    { "blok mu B0", "x.bes:1:1: found 'blok'; expected 'block'" },
    { "block xi B0", "x.bes:1:7: found 'xi'; expected 'mu' or 'nu'" },
    { "block mu X0", "x.bes:1:10: found 'X0'; expected a block's name like B0" },
    { "block mu B", "x.bes:1:10: found 'B'; expected a block's name like B0" },
    { "block mu B0 X0", "x.bes:1:13: found 'X0'; expected 'unique', 'mode' or 'is'" },
    { "block mu B0 unique unique",
      "x.bes:1:20: found 'unique'; expected 'mode' or 'is'" },
    { "block mu B0 mode is", "x.bes:1:18: found 'is'; expected the number of the mode" },
    { "block mu B0 mode 1 unique", "x.bes:1:20: found 'unique'; expected 'is'" },
    { "block mu B0 is Y0",
      "x.bes:1:16: found 'Y0'; expected an equation, X3 = ..., or 'end'" },
    { "block mu B0 is X0_0 = X0",
      "x.bes:1:16: found 'X0_0'; expected an equation, X3 = ..., or 'end'" },
    { "block mu B0 is X0 X1", "x.bes:1:19: found 'X1'; expected '='" },
    { "block mu B0 is X0 = or",
      "x.bes:1:21: found 'or'; expected 'true', 'false', or a variable like X3 or X3_1" },
    { "block mu B0 is\nX0 = X0 or\n\n  and",
      "x.bes:4:3: found 'and'; expected 'true', 'false', or a variable like X3 or X3_1" },
    { "block mu B0 is X0 = (X0)",
      "x.bes:1:21: found '('; expected 'true', 'false', or a variable like X3 or X3_1" },
    { "block mu B0 is X0 = X0 \xc3\xa4",
      "x.bes:1:24: found the byte 0xc3; expected 'or', 'and', an equation or 'end'" },
    { "block mu B0 is X0 = X0 end",
      "x.bes:1:27: the text ends here; expected 'block' after "
      "'end'" },
    { "block mu B0 is X0 = X0 end block block",
      "x.bes:1:39: the text ends here; expected "
      "'mu' or 'nu'" },
    { "block mu B0 is X0 = X0 end block\nend",
      "x.bes:2:1: found 'end'; expected 'block'" },
    { "block mu B0 is X0 = aVeryLongWordThatIsNotShownToItsEnd",
      "x.bes:1:21: found 'aVeryLongWordThatIsNotShownToI...'; expected 'true', 'false', "
      "or a "
      "variable like X3 or X3_1" },
    { "block mu B0 is X0 = X1 or X0 and X0",
      "x.bes:1:30: 'and' in an equation with 'or'; expected 'or': give the other part a "
      "variable of its own" },
    { "block mu B0 is X0 = X1 and X0 or X0",
      "x.bes:1:31: 'or' in an equation with 'and'; expected 'and': give the other part a "
      "variable of its own" },
    { "block mu (* B0 is\n", "x.bes:1:10: a comment that does not end; expected '*)'" },
    { "block mu (*) B0 is\n", "x.bes:1:10: a comment that does not end; expected '*)'" },
    { "block mu B4294967294 is", "x.bes:1:11: a number of 10 digits; expected at most "
                                 "4294967293" },
    { "block mu B0 is X18446744073709551617 = true",
      "x.bes:1:17: a number of 20 digits; expected at most 4294967293" },
    { "block mu B0 is X0 = X1_99999999999 end block",
      "x.bes:1:24: a number of 11 digits; expected at most 4294967293" },
    { "block mu B0 is X0 = X1 end block",
      "x.bes:1:21: X1_0 is not defined; expected an equation X1 = ... in block B0" },
    { "block mu B0 is X0 = X0 or true or\n X1_3 end block",
      "x.bes:2:2: X1_3 is not defined: there is no block B3; expected an equation for "
      "it" },
    { "block mu B0 is X0 = X0_1 end block block mu B1 is X0 = true X1 = X7 (* *) or X2 "
      "X2 = false end block",
      "x.bes:1:66: X7_1 is not defined; expected an equation X7 = ... in block B1" },
    { "block mu B0 is X0 = X0\nX1 = X0 X0 = X1 end block",
      "x.bes:2:9: X0 of block B0 is defined a second time, first in line 1, column 16; "
      "expected it once" },
    { "block mu B0 is end block\nblock nu B0 is end block",
      "x.bes:2:10: block B0 is defined a second time, first in line 1, column 10; "
      "expected "
      "it once" },
    { "block mu B0 is X0 = X0_2 end block\nblock nu B2 is X0 = X0 and X0_0 end block",
      "x.bes:1:21: blocks depend on each other in a cycle: B2 -> B0 -> B2; expected a "
      "system "
      "without alternation" },
};

static void errors_have_their_place(void)
{
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        bes b;
        err e;
        int code = parse(&b, errors[i].text, &e);
        bool right = code == ERR_INPUT && strcmp(e.text, errors[i].message) == 0;
        if (!right)
            printf("\n%s\n  gives  %s\n  not    %s\n", errors[i].text, e.text,
                   errors[i].message);
        CU_ASSERT(right);
        CU_ASSERT_PTR_NULL(b.operand);
        CU_ASSERT_EQUAL(account.now, 0);
    }
}

/* A ring of n blocks. */
static char *ring_text(int n)
{
    char *text = malloc((size_t)n * 64), *to = text;
    for (int i = 0; i < n; i++)
        to += sprintf(to, "block mu B%d is X0 = X0_%d end block\n", i, (i + 1) % n);
    return text;
}

static void a_long_cycle_is_shortened(void)
{
    bes b;
    err e;
    char *text = ring_text(100000);
    CU_ASSERT_EQUAL(parse(&b, text, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text,
                                  "B99999 -> B0 -> B1 -> B2 -> B3 -> B4 -> ... -> "
                                  "B99993 -> B99994 -> B99995 -> B99996 -> B99997 "
                                  "-> B99998 -> B99999;"));
    free(text);
    text = ring_text(1);
    CU_ASSERT_EQUAL(parse(&b, text, &e), 0); /* within a block it is none */
    bes_close(&b);
    free(text);
}

/* ---- what is written ------------------------------------------------------------------------ */

static bool equal(const bes *a, const bes *b)
{
    if (a->block_count != b->block_count || a->vertices != b->vertices) return false;
    for (uint32_t k = 0; k < a->block_count; k++) {
        const bes_block *x = &a->blocks[k], *y = &b->blocks[k];
        if (x->sign != y->sign || x->number != y->number || x->begin != y->begin ||
            x->unique != y->unique || x->mode != y->mode || x->end != y->end)
            return false;
    }
    return a->operand_count == b->operand_count &&
           memcmp(a->variable, b->variable, a->vertices * sizeof *a->variable) == 0 &&
           memcmp(a->op, b->op, a->vertices) == 0 &&
           memcmp(a->first, b->first, a->vertices * sizeof *a->first) == 0 &&
           memcmp(a->operand, b->operand, a->operand_count * sizeof *a->operand) == 0;
}

/* Written and read again, twice: the first time only singles may change their operator. */
static void write_and_read(const bes *b, const char *path)
{
    bes again = { .m = NULL }, third = { .m = NULL };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(bes_write(b, path, NULL, &e), 0);
    CU_ASSERT_EQUAL(bes_read(&again, &account, path, NULL, &e), 0);
    CU_ASSERT_EQUAL(bes_write(&again, path, NULL, &e), 0);
    CU_ASSERT_EQUAL(bes_read(&third, &account, path, NULL, &e), 0);
    if (e.code != ERR_NONE) printf("\n%s", e.text);
    CU_ASSERT(e.code == ERR_NONE && equal(&again, &third));
    CU_ASSERT(e.code == ERR_NONE && again.vertices == b->vertices &&
              again.operand_count == b->operand_count);
    bes_close(&again);
    bes_close(&third);
}

static void what_is_written_is_read_equal(void)
{
    char path[4][64];
    static const char *const suffixes[] = { "bes", "bes.gz", "bes.zst", "bes.bz2" };
    for (size_t i = 0; i < 4; i++)
        snprintf(path[i], sizeof path[i], "/tmp/bespoke-bes-%d.%s", (int)getpid(),
                 suffixes[i]);
    for (uint64_t seed = 0; seed < 200; seed++) {
        bes_random_options o = { .variables = 1 + (vertex_id)(seed * 7 % 300),
                                 .blocks = 1,
                                 .degree = 2,
                                 .and_share = 0.5,
                                 .shape = (bes_shape)(seed % BES_SHAPE_COUNT),
                                 .seed = seed };
        if (o.variables > 20) o.blocks = 1 + (uint32_t)(seed % 20);
        bes b;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL_FATAL(bes_random(&b, &account, &o, &e), 0);
        write_and_read(&b, path[seed % 4]);
        bes_close(&b);
    }
    for (size_t i = 0; i < 4; i++) unlink(path[i]);
    CU_ASSERT_EQUAL(account.now, 0);
}

static void what_was_read_is_written_as_it_was(void)
{
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        char path[64], before[1024], after[1024];
        bes b, again;
        err e;
        if (systems[i].read == NULL) continue;
        snprintf(path, sizeof path, "/tmp/bespoke-bes-%d.bes", (int)getpid());
        CU_ASSERT_EQUAL_FATAL(parse(&b, systems[i].text, &e), 0);
        CU_ASSERT_EQUAL_FATAL(bes_write(&b, path, NULL, &e), 0);
        CU_ASSERT_EQUAL_FATAL(bes_read(&again, &account, path, NULL, &e), 0);
        print(&b, before);
        print(&again, after);
        CU_ASSERT_STRING_EQUAL(before, after);
        bes_close(&b);
        bes_close(&again);
        unlink(path);
    }
}

/* ---- names and limits ----------------------------------------------------------------------- */

static void names_are_parsed_whole(void)
{
    bes_name n = { 0 };
    CU_ASSERT(bes_name_parse(&n, "X3_1") && n.variable == 3 && n.block == 1);
    CU_ASSERT(bes_name_parse(&n, "X12") && n.variable == 12 && n.block == 0);
    static const char *const bad[] = { "",      " X3",   "X3 ",  "X",   "X3_",
                                       "X_1",   "B3",    "3",    "x3",  "X3_1_2",
                                       "X3 X4", "X3_1 ", "true", "X-1", "X99999999999" };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (bes_name_parse(&n, bad[i])) printf("\n'%s' is no name", bad[i]);
        CU_ASSERT(!bes_name_parse(&n, bad[i]));
    }
}

static void variables_are_found(void)
{
    bes b;
    err e;
    CU_ASSERT_EQUAL_FATAL(parse(&b, systems[3].text, &e), 0);
    CU_ASSERT_EQUAL(bes_find(&b, (bes_name){ 1, 0 }), 1);
    CU_ASSERT_EQUAL(bes_find(&b, (bes_name){ 2, 1 }), 4);
    CU_ASSERT_EQUAL(bes_find(&b, (bes_name){ 2, 0 }), VERTEX_NONE);
    CU_ASSERT_EQUAL(bes_find(&b, (bes_name){ 0, 2 }), VERTEX_NONE);
    CU_ASSERT_EQUAL(bes_block_of(&b, 1), 0);
    CU_ASSERT_EQUAL(bes_block_of(&b, 2), 1);
    bes_close(&b);
}

static void every_refused_allocation_is_a_limit(void)
{
    mem m = MEM_INIT;
    bool failed = true;
    for (size_t at = 1; failed; at++) {
        bes b;
        err e = ERR_INIT;
        m.calls = 0;
        m.fail_at = at;
        failed = bes_parse(&b, &m, "x", systems[3].text, strlen(systems[3].text), NULL,
                           &e) != 0;
        CU_ASSERT(!failed || e.code == ERR_LIMIT);
        bes_close(&b);
        CU_ASSERT_EQUAL_FATAL(m.now, 0);
        CU_ASSERT_FATAL(at < 1000);
    }
}

static void files_that_are_not_there_are_told(void)
{
    bes b;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(bes_read(&b, &account, "/nonexistent/x.bes", NULL, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "/nonexistent/x.bes"));
    CU_ASSERT_EQUAL(account.now, 0);
}

CU_TestInfo test_bes[] = {
    { "texts are read as meant", texts_are_read_as_meant },
    { "errors have their place", errors_have_their_place },
    { "a long cycle is shortened", a_long_cycle_is_shortened },
    { "what is written is read equal", what_is_written_is_read_equal },
    { "what was read is written as it was", what_was_read_is_written_as_it_was },
    { "names are parsed whole", names_are_parsed_whole },
    { "variables are found", variables_are_found },
    { "every refused allocation is a limit", every_refused_allocation_is_a_limit },
    { "files that are not there are told", files_that_are_not_there_are_told },
    CU_TEST_INFO_NULL,
};
