#include "core/ids.h"
#include "lang/mcl.h"
#include "tests/capture.h"
#include "tests/mcl_case.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The tree of a formula, fully parenthesised, or the message; the caller frees it. */
static char *outcome(const char *text, const mcl_options *o)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mcl *f;
    char *out = NULL;
    size_t bytes;
    if (mcl_parse(&f, &m, text, o, &e) == 0) {
        FILE *to = open_memstream(&out, &bytes);
        mcl_tree_print(mcl_root(f), to);
        fclose(to);
    } else {
        CU_ASSERT_PTR_NULL(f);
        CU_ASSERT_EQUAL(e.code, ERR_INPUT);
        out = strdup(e.text);
    }
    mcl_close(f);
    CU_ASSERT_EQUAL(m.now, 0);
    return out;
}

typedef struct row {
    const char *text, *expected;
} row;

static void check_rows(const row *rows, size_t count, const mcl_options *o)
{
    for (size_t i = 0; i < count; i++) {
        char *found = outcome(rows[i].text, o);
        if (strcmp(found, rows[i].expected) != 0)
            printf("\n%s\n  gives    %s\n  expected %s\n", rows[i].text, found,
                   rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        free(found);
    }
}

static void operators_bind_as_specified(void)
{
    static const row rows[] = {
        { "<\"a\"> true and false", "((<\"a\"> true) and false)" },
        { "[\"a\"] true or false", "(([\"a\"] true) or false)" },
        { "mu X . X and true", "((mu X . X) and true)" },
        { "nu X . (X and true)", "(nu X . (X and true))" },
        { "not true and false", "((not true) and false)" },
        { "not <\"a\"> mu X . not not X", "(not (<\"a\"> (mu X . (not (not X)))))" },
        { "true or true and true", "(true or (true and true))" },
        { "true implies true or true", "(true implies (true or true))" },
        { "true equ true implies true", "(true equ (true implies true))" },
        { "true implies true equ true", "((true implies true) equ true)" },
        { "true implies true implies false", "((true implies true) implies false)" },
        { "true equ true equ false", "((true equ true) equ false)" },
        { "true and true and false", "((true and true) and false)" },
        { "true or true or false", "((true or true) or false)" },
        { "<\"a\" | \"b\" . \"c\"> true", "(<(\"a\" | (\"b\" . \"c\"))> true)" },
        { "<\"a\" . \"b\" | \"c\"> true", "(<((\"a\" . \"b\") | \"c\")> true)" },
        { "<\"a\" . \"b\" . \"c\"> true", "(<((\"a\" . \"b\") . \"c\")> true)" },
        { "<\"a\" | \"b\" | \"c\"> true", "(<((\"a\" | \"b\") | \"c\")> true)" },
        { "<\"a\" . \"b\"*> true", "(<(\"a\" . (\"b\"*))> true)" },
        { "<\"a\"* + ?> true", "(<(((\"a\"*)+)?)> true)" },
        { "<\"a\" and not \"b\" . \"c\"> true",
          "(<((\"a\" and (not \"b\")) . \"c\")> true)" },
        { "<\"a\" or \"b\"*> true", "(<((\"a\" or \"b\")*)> true)" },
        { "<not \"a\"*> true", "(<((not \"a\")*)> true)" },
        { "<not \"a\" and \"b\"> true", "(<((not \"a\") and \"b\")> true)" },
        { "<\"a\" or \"b\" and \"c\" implies \"d\" equ \"e\"> true",
          "(<(((\"a\" or (\"b\" and \"c\")) implies \"d\") equ \"e\")> true)" },
        { "<\"a\" implies \"b\" implies \"c\"> true",
          "(<((\"a\" implies \"b\") implies \"c\")> true)" },
        { "<\"a\">@ and [nil . \"b\"]-|", "((<\"a\">@) and ([(nil . \"b\")]-|))" },
        { "@ (\"a\" . \"b\") or true", "((<(\"a\" . \"b\")>@) or true)" },
        { "<(\"a\")> (((true)))", "(<\"a\"> true)" },
    };
    check_rows(rows, COUNT_OF(rows), NULL);
}

static void words_are_cut_as_specified(void)
{
    static const row rows[] = {
        { "(* a * ( comment *)true(*another*)", "true" },
        { "\n\ttrue\r\n", "true" },
        { "mu _X1 . _X1", "(mu _X1 . _X1)" },
        { "mu True . True", "(mu True . True)" }, /* keywords are lower case */
        { "mu truest . truest", "(mu truest . truest)" },
        { "<\"(* no comment *)\"> true", "(<\"(* no comment *)\"> true)" },
        { "<\"a \\\"quoted\\\" b\"> true", "(<\"a \\\"quoted\\\" b\"> true)" },
        { "<\"back\\slash \\n\"> true", "(<\"back\\slash \\n\"> true)" },
        { "<\"end\\\\\"> true", "(<\"end\\\\\"> true)" },
        { "<\"\"> true", "(<\"\"> true)" },
        { "<\"it's\"> true", "(<\"it's\"> true)" },
        { "<'a.*\"x\"'> true", "(<'a.*\"x\"'> true)" },
        { "<'it\\'s'> true", "(<'it\\'s'> true)" },
        { "<\"a\" # \"b\" # \"c\"> true", "(<\"abc\"> true)" },
        { "<\"1.5*\" # '.*'> true", "(<'1\\.5\\*.*'> true)" },
        { "<'x' # \"[^$]\\\\\"> true", "(<'x\\[\\^\\$\\]\\\\\\\\'> true)" },
        { "<'a' # 'b*'> true", "(<'ab*'> true)" },
        { "<\"a\">@and[\"b\"]-|or true", "(((<\"a\">@) and ([\"b\"]-|)) or true)" },
    };
    check_rows(rows, COUNT_OF(rows), NULL);
}

/* Every text is refused, and the message begins as expected. */
static void check_messages(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char wanted[300], *found = outcome(rows[i].text, NULL);
        snprintf(wanted, sizeof wanted, "formula:%s", rows[i].expected);
        bool fine = strncmp(found, wanted, strlen(wanted)) == 0;
        if (!fine)
            printf("\n%s\n  gives    %s\n  expected %s\n", rows[i].text, found, wanted);
        CU_ASSERT(fine);
        free(found);
    }
}

static void mistakes_are_located_and_explained(void)
{
    static const row rows[] = {
        /* text, place and words of the message */
        { "", "1:1: the formula ends here; expected a state formula" },
        { "true and\n\n", "1:9: the formula ends here; expected a state formula" },
        { "true\n  true", "2:3: found true; expected the end, and, or, implies or equ" },
        { "(true", "1:6: the formula ends here; expected" },
        { "true)", "1:5: found ); expected" },
        { "<SEND> true",
          "1:2: found SEND; expected an action or a regular formula; labels are "
          "written in double quotes" },
        { "<tau> true",
          "1:2: found tau; expected an action or a regular formula; the hidden "
          "action is written \"i\"" },
        { "\"a\"", "1:1: found \"a\"; expected a state formula; actions stand inside" },
        { "<\"a\" true",
          "1:6: found true; expected and, or, implies, equ, '|', '.', '*', '+', "
          "'?', '>' or '#'" },
        { "mu . true", "1:4: found .; expected a name" },
        { "mu X true", "1:6: found true; expected '.'" },
        { "mu true . true", "1:4: found true; expected a name" },
        { "<\"a\"> {SEND}", "1:7: '{' means nothing here; expected actions as strings" },
        { "true && true", "1:6: '&' means nothing here; expected the words and" },
        { "true \x01", "1:6: the byte 1 means nothing here" },
        { "<\"abc> true",
          "1:2: this string is not closed; expected \" on the same line" },
        { "<\"abc\n\"> true", "1:2: this string is not closed" },
        { "<'abc> true", "1:2: this regular expression is not closed" },
        { "true (* no end", "1:6: this comment is not closed; expected *)" },
        { "X", "1:1: the variable X is not bound; expected mu X . or nu X . around it" },
        { "mu Foo . <true> Fo",
          "1:17: the variable Fo is not bound here; expected Foo?" },
        { "mu X . <true> Other",
          "1:15: the variable Other is not bound here; expected X" },
        { "(mu X . X) and X", "1:16: the variable X is not bound; expected" },
        { "mu X . not X", "1:12: X stands under an odd number of negations inside mu X" },
        { "nu X . (X implies true)", "1:9: X stands under an odd number of negations" },
        { "mu X . not mu Y . not (Y or X)", "1:24: Y stands under an odd number" },
        { "mu X . (X equ true)", "1:9: X stands under equ inside mu X" },
        { "<\"a\"* or \"b\"> true",
          "1:2: 'or' is given a regular formula; expected an action" },
        { "<not nil> true", "1:6: 'not' is given a regular formula" },
        { "<\"a\" and (\"b\" . \"c\")> true", "1:11: 'and' is given a regular formula" },
        { "<'a\\('> true", "1:2: this is no regular expression: " },
        { "<'\\(a\\{200\\}\\)\\{200\\}'> true", "1:2: the regular expression repeats" },
        { "NEVER (\"a\")", "1:1: unknown macro NEVER; expected a name defined before" },
        { "mu X . (X (true))", "1:9: unknown macro X" },
        { "nil", "1:1: found nil; expected a state formula" },
        { "<\"a\">-|", "1:6: found -|; expected a state formula" },
        { "< > true", "1:3: found >; expected an action or a regular formula" },
    };
    check_messages(rows, COUNT_OF(rows));
}

#define M "macro M (P) = [ (P) ] false end_macro "

static void macros_are_replaced_by_their_text(void)
{
    static const row rows[] = {
        { M "M (\"a\")", "([\"a\"] false)" },
        { M "M(\"a\" . \"b\") and M (* c *) (true)",
          "(([(\"a\" . \"b\")] false) and ([true] false))" },
        { M "M (\"(,)\")", "([\"(,)\"] false)" },
        { M "M ('a,b')", "(['a,b'] false)" },
        { "macro N () = true end_macro N ()", "true" },
        { "macro N () = true end_macro macro N (P) = P end_macro N () and N (false)",
          "(true and false)" }, /* overloaded by arity */
        { "macro A (P, Q) = <P> Q end_macro macro B (P, Q) = A (Q, A (Q, P)) end_macro "
          "B (true, \"x\")",
          "(<\"x\"> (<\"x\"> true))" }, /* parameters of the same name do not mix */
        { "macro A (P) = P and P end_macro A (A (true))",
          "(((true and true) and true) and true)" }, /* text, no parentheses */
        { "macro A (P) = P and P end_macro true or A (false)",
          "(true or (false and false))" }, /* text: no parentheses are added */
        { "macro A (P) = \"P\" end_macro <A (x)> true", "(<\"P\"> true)" },
        { "macro S (P) = \"SEND !\" # P end_macro <S (\"1\")> true",
          "(<\"SEND !1\"> true)" },
        { "macro F (P) = mu X . (P or <true> X) end_macro F (F (true))",
          "(mu X . ((mu X . (true or (<true> X))) or (<true> X)))" },
        { "macro A (P) = true end_macro mu A . A", "(mu A . A)" }, /* no call, no macro */
    };
    check_rows(rows, COUNT_OF(rows), NULL);
}

static void mistakes_in_macros_are_located_in_the_users_text(void)
{
    static const row rows[] = {
        { M "M (\"a\", \"b\")", "1:39: macro M has 2 arguments here; expected 1" },
        { M "M ()", "1:39: macro M has 0 arguments here; expected 1" },
        { "macro MANY (P) = P end_macro MANI (true)",
          "1:30: unknown macro MANI; expected MANY?" },
        { M "\nM (\"a\"", "2:1: the arguments of M are not closed; expected )" },
        { M "\nM (\"a\" \"b\")", "2:8: found \"b\"; expected" },
        { M "\nM (<)",
          "2:4: found <; expected an action or a regular formula (in macro M "
          "called at formula:2:1)" },
        { M "mu X . M (X)", "1:49: found X; expected an action" },
        { M "M", "1:39: M is a macro; expected its arguments, M (...)" },
        { "macro A (P) = [ P ] B end_macro\nA (\"a\")",
          "1:21: the variable B is not bound; expected mu B . or nu B . around it (in "
          "macro A "
          "called at formula:2:1)" },
        { "macro A (P) = A (P) end_macro A (true)",
          "1:15: macro A uses itself; expected macros defined before it (in macro A "
          "called at " },
        { "macro A (P) = B (P) end_macro macro B (P) = P end_macro A (true)",
          "1:15: macro B is not known yet here; expected its definition before" },
        { "macro A (P, P) = P end_macro true", "1:13: two parameters are called P" },
        { "macro A (P) = true", "1:7: macro A is not closed; expected end_macro" },
        { "macro A (P) = macro B (Q) = true end_macro", "1:7: macro A is not closed" },
        { "macro (P) = true end_macro",
          "1:7: found '('; expected the name of the macro" },
        { "macro A P = true end_macro", "1:9: found 'P'; expected ( and" },
        { "macro A (P) true end_macro", "1:13: found 'true'; expected = and the text" },
        { "macro not (P) = true end_macro", "1:7: found 'not'; expected the name" },
        { "macro A (P", "1:11: the text ends here; expected , or )" },
        { "end_macro", "1:1: end_macro without a beginning; expected macro before" },
        { M "M (macro)", "1:42: a definition inside a macro" },
        { "library", "1:8: the text ends here; expected the name of a library file" },
        { "library no_such.mcl end_library true",
          "1:9: no library no_such.mcl; expected a file of that name in ., " },
        { "library standard.mcl true", "1:22: found 'true'; expected , or end_library" },
        { "library standard.mcl end_library NEVR (\"a\")",
          "1:34: unknown macro NEVR; expected NEVER?" },
        { "library standard.mcl end_library\nNEVER (\"a\" .)",
          "2:1: found ); expected an action or a regular formula (in macro NEVER, " },
    };
    check_messages(rows, COUNT_OF(rows));
}

static void put_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
}

/* A folder with libraries: own/ holds a formula and what it needs, more/ is searched. */
static void libraries_are_found_and_read_once(void)
{
    char folder[] = "/tmp/bespoke_mcl_XXXXXX", path[100], more[100];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(more, sizeof more, "%s/more", folder);
    mkdir(more, 0700);
    snprintf(path, sizeof path, "%s/more/far.mcl", folder);
    put_file(path, "macro FAR (P) = <P> true end_macro");
    snprintf(path, sizeof path, "%s/near.mcl", folder);
    put_file(path,
             "library far.mcl, near.mcl end_library macro NEAR (P) = FAR (P) end_macro");
    snprintf(path, sizeof path, "%s/main.mcl", folder);
    put_file(path, "library near.mcl, far.mcl, \"near.mcl\" end_library\n NEAR (\"a\")");
    const char *const paths[] = { "/no/such/folder", more };
    capture log;
    log_sink sink = LOG_INIT;
    mcl_options o = { .library_paths = paths, .library_path_count = 2, .log = &sink };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mcl *f = NULL;
    capture_begin(&log);
    int rc = mcl_read(&f, &m, path, &o, &e);
    const char *warnings = capture_end(&log);
    CU_ASSERT_EQUAL_FATAL(rc, 0);
    CU_ASSERT_STRING_EQUAL(warnings, ""); /* read twice, it would be defined twice */
    CU_ASSERT_EQUAL(mcl_root(f)->kind, MCL_DIAMOND);
    mcl_close(f);
    put_file(path, "library near.mcl end_library\n NEAR (nope)");
    CU_ASSERT_EQUAL(mcl_read(&f, &m, path, &o, &e), ERR_INPUT);
    snprintf(path, sizeof path, "%s/main.mcl:2:8: found nope", folder);
    CU_ASSERT_EQUAL(strncmp(e.text, path, strlen(path)), 0);
    CU_ASSERT_EQUAL(m.now, 0);
    snprintf(path, sizeof path, "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(path), 0);
}

static void our_own_libraries_are_there(void)
{
    static const row rows[] = {
        { "library standard.mcl end_library NEVER (\"a\")",
          "([((true*) . \"a\")] false)" },
        { "library standard.mcl, actl.mcl, ctl.mcl end_library DEADLOCK_FREE ()",
          "([(true*)] (<true> true))" },
        { "library actl.mcl end_library EU_A (true, \"a\", false)",
          "(mu X_actl . (false or (true and (<\"a\"> X_actl))))" },
        { "library ctl.mcl end_library AG (EF (<\"a\"> true))",
          "([(true*)] (<(true*)> (<\"a\"> true)))" },
    };
    check_rows(rows, COUNT_OF(rows), NULL);
}

static void shadowing_is_legal_with_a_warning(void)
{
    static const struct {
        const char *text, *warning;
    } rows[] = {
        { "mu X . nu X . <true> X",
          "formula:1:8: this X hides the X bound at formula:1:1" },
        { "(mu X . X) and nu X . X", "" },
        { "macro A (P) = true end_macro macro A (Q) = false end_macro A (x)",
          "formula:1:36: macro A replaces the one defined at formula:1:7" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        capture log;
        log_sink sink = LOG_INIT;
        mcl_options o = { .log = &sink };
        capture_begin(&log);
        char *found = outcome(rows[i].text, &o);
        const char *warning = capture_end(&log);
        bool fine = rows[i].warning[0] ? strstr(warning, rows[i].warning) != NULL
                                       : warning[0] == '\0';
        if (!fine) printf("\n%s: %s\n", rows[i].text, warning);
        CU_ASSERT(fine);
        free(found);
    }
}

/* What is printed is read as the same tree again. */
static void printing_and_reading_are_inverse(void)
{
    mcl_random r = { 77 };
    for (int i = 0; i < 2000; i++) {
        char text[2000];
        mcl_case_formula(&r, text, sizeof text);
        char *once = outcome(text, NULL), *twice = outcome(once, NULL);
        if (strcmp(once, twice) != 0) printf("\n%s\n%s\n%s\n", text, once, twice);
        CU_ASSERT_STRING_EQUAL(once, twice);
        free(once);
        free(twice);
    }
}

/* `part` so often, then `end`: at most a located error, never a full stack. */
static void repeated(const char *part, size_t count, const char *end,
                     const char *expected)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    for (size_t i = 0; i < count; i++) fputs(part, to);
    fputs(end, to);
    fclose(to);
    char *found = outcome(text, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(found, expected));
    free(found);
    free(text);
}

static void deep_and_growing_texts_end_in_a_message(void)
{
    repeated("(", 3000, "true", "the formula ends here");
    repeated("(", 100000, "true", "nested more than 5000 deep");
    repeated("not ", 4900, "true", "(not (not ");
    repeated("not ", 5100, "true", "nested more than 5000 deep");
    repeated("true and ", 4900, "true", "(true and true)");
    repeated("true and ", 200000, "true", "nested more than 5000 deep");
    repeated("<\"a\">", 100000, "true", "nested more than 5000 deep");
    repeated("macro A (P) = P P end_macro ", 1, "A (A (true))", "found true; expected");
    repeated("macro A (P) = (P) end_macro ", 1, "A (true)", "true");
    char bomb[4000] = "macro A0 (P) = P and P end_macro ";
    for (int i = 1; i < 40; i++)
        snprintf(bomb + strlen(bomb), sizeof bomb - strlen(bomb),
                 "macro A%d (P) = A%d (A%d (P)) end_macro ", i, i - 1, i - 1);
    repeated(bomb, 1, "A39 (true)", "macro");
    repeated(bomb, 1, "A39 ()", "macro A39 has 0 arguments");
}

/* A certificate's property must not depend on the files of whoever checks it. */
static void one_text_has_no_macros_and_no_libraries(void)
{
    static const struct {
        const char *text;
        int code;
    } rows[] = {
        { "library standard.mcl end_library DEADLOCK ()", ERR_INPUT },
        { "macro M (A) = <A> true end_macro M (true)", ERR_INPUT },
        { "nu X . [true] X", 0 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        mcl *f = NULL;
        mcl_options o = { .one_text = true };
        CU_ASSERT_EQUAL(mcl_parse(&f, &m, rows[i].text, &o, &e), rows[i].code);
        if (rows[i].code) CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "formula:1:1:"));
        mcl_close(f);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_mcl[] = {
    { "one text has no macros and no libraries",
      one_text_has_no_macros_and_no_libraries },
    { "operators bind as specified", operators_bind_as_specified },
    { "words are cut as specified", words_are_cut_as_specified },
    { "mistakes are located and explained", mistakes_are_located_and_explained },
    { "macros are replaced by their text", macros_are_replaced_by_their_text },
    { "mistakes in macros are located in the user's text",
      mistakes_in_macros_are_located_in_the_users_text },
    { "libraries are found and read once", libraries_are_found_and_read_once },
    { "our own libraries are there", our_own_libraries_are_there },
    { "shadowing is legal with a warning", shadowing_is_legal_with_a_warning },
    { "printing and reading are inverse", printing_and_reading_are_inverse },
    { "deep and growing texts end in a message",
      deep_and_growing_texts_end_in_a_message },
    CU_TEST_INFO_NULL
};
