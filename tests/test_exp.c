/*
 * Networks as text: what each operator becomes, how operators bind, languages, inclusion,
 * mistakes and warnings with their places, random networks against the tree they stand for.
 */
#include "core/ids.h"
#include "lang/exp_tree.h"
#include "tests/capture.h"
#include "tests/exp_case.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct row {
    const char *text, *expected;
} row;

/* Texts and their trees; reading a tree gives that tree. */
static void check_trees(exp_case *c, const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        err_code code;
        char *found = exp_case_outcome(c, rows[i].text, NULL, &code);
        bool right = code == ERR_NONE && strcmp(found, rows[i].expected) == 0;
        if (!right)
            printf("\n%s\n  gives    %s\n  expected %s\n", rows[i].text, found,
                   rows[i].expected);
        CU_ASSERT(right);
        char *again = exp_case_outcome(c, found, NULL, &code);
        if (strcmp(found, again) != 0) printf("\n%s\n  again    %s\n", found, again);
        CU_ASSERT_STRING_EQUAL(found, again);
        free(found);
        free(again);
    }
}

static void check_own(const row *rows, size_t count)
{
    exp_case c = exp_case_open();
    check_trees(&c, rows, count);
    exp_case_close(&c);
}

static void each_operator_has_its_tree(void)
{
    static const row rows[] = {
        { "a", "a" },
        { "\"a.aut\"", "a" },
        { "(((a)))", "a" },
        { "a || b", "gate par all in a || b end par" },
        { "a ||| b", "gate par a || b end par" },
        { "a |[G, \"H\"]| b", "gate par \"G\", \"H\" in a || b end par" },
        { "a |[]| b", "gate par a || b end par" },
        { "hide A, B in a", "gate hide \"A\", \"B\" in a end hide" },
        { "hide in a", "gate hide  in a end hide" },
        { "hide A in a end hide", "gate hide \"A\" in a end hide" },
        { "total hide all but \"A !.*\" in a end hide",
          "total hide all but \"A !.*\" in a end hide" },
        { "hide all but A in a end hide", "gate hide all but \"A\" in a end hide" },
        { "partial cut X in a end cut", "partial cut \"X\" in a end cut" },
        { "cut X in a end cut", "gate cut \"X\" in a end cut" },
        { "prio A, B > C > all but D E > F in a end prio",
          "gate prio \"A\", \"B\" > \"C\" > all but \"D\" \"E\" > \"F\" in a end prio" },
        { "total rename \"A !\\(.*\\)\" -> \"B !\\1\", C -> D in a end rename",
          "total rename \"A !\\\\(.*\\\\)\" -> \"B !\\\\1\", \"C\" -> \"D\" in a end "
          "rename" },
        { "multiple rename A -> B in a end rename",
          "multiple rename \"A\" -> \"B\" in a end rename" },
        { "single rename A -> B in a end rename",
          "single rename \"A\" -> \"B\" in a end rename" },
        { "par a || b || c end par", "gate par a || b || c end par" },
        { "par a end par", "gate par a end par" },
        { "par all in a || b end par", "gate par all in a || b end par" },
        { "label par \"A !1\"#2, B#0 in C -> a || D#1, E -> b || c end par",
          "label par \"A !1\"#2, \"B\"#0 in \"C\" -> a || \"D\"#1, \"E\" -> b || c end "
          "par" },
        { "par A -> a || b end par", "gate par \"A\" -> a || b end par" },
        { "gate par using A * _ || B -> C, _ * \"D\" * _ -> i in a || b || c end par",
          "gate par using \"A\" * _ * \"B\" -> \"C\", _ * \"D\" * _ -> \"i\" in a || b "
          "|| "
          "c end par" },
        { "a | b", "(a | b)" },
        { "a \\ x", "gate cut \"x\", \"'x\" in a end cut" },
        { "a \\ {x, \"'y\"}", "gate cut \"x\", \"'x\", \"y\", \"'y\" in a end cut" },
        { "a [y/x]", "gate rename \"x\" -> \"y\", \"'x\" -> \"'y\" in a end rename" },
        { "a [\"'y\"/x, z/\"'w\"]", "gate rename \"x\" -> \"'y\", \"'x\" -> \"y\", \"w\" "
                                    "-> \"'z\", \"'w\" -> \"z\" "
                                    "in a end rename" },
        { "a [i/x]", "gate rename \"x\" -> \"i\", \"'x\" -> \"i\" in a end rename" },
        { "a [|{G}|] b", "gate par \"G\" in a || b end par" },
        { "a [{A, B} || {B, C}] b",
          "gate par \"B\" in gate cut all but \"A\", \"B\", \"exit\" in a end cut "
          "|| "
          "gate cut all but \"B\", \"C\", \"exit\" in b end cut end par" },
        { "a [[x <- y, y <- x]]",
          "gate rename \"x\" -> \"y\", \"y\" -> \"x\" in a end rename" },
        { "a [\"&\"/\".\"]", "gate rename \"\\\\.\" -> \"\\\\&\", \"'\\\\.\" -> "
                             "\"'\\\\&\" in a end rename" },
    };
    check_own(rows, COUNT_OF(rows));
}

static void operators_bind_as_specified(void)
{
    static const row rows[] = {
        { "a ||| b ||| c", "gate par a || gate par b || c end par end par" },
        { "(a ||| b) ||| c", "gate par gate par a || b end par || c end par" },
        { "a || b | c |[G]| d",
          "gate par all in a || (b | gate par \"G\" in c || d end par) end par" },
        { "hide A in a ||| b", "gate hide \"A\" in gate par a || b end par end hide" },
        { "hide A in a end hide ||| b",
          "gate par gate hide \"A\" in a end hide || b end par" },
        { "a ||| hide A in b ||| c",
          "gate par a || gate hide \"A\" in gate par b || c end par end hide end par" },
        { "hide A in hide B in a end hide ||| b",
          "gate hide \"A\" in gate par gate hide \"B\" in a end hide || b end par end "
          "hide" },
        { "hide A in a | b \\ x",
          "gate hide \"A\" in (a | gate cut \"x\", \"'x\" in b end cut) end hide" },
        { "a | b [y/x]|c",
          "(a | (gate rename \"x\" -> \"y\", \"'x\" -> \"'y\" in b end rename | c))" },
        { "a[[x<-y]]\\z", "gate cut \"z\", \"'z\" in gate rename \"x\" -> \"y\" in a end "
                          "rename end cut" },
        { "cut A in a ||| b end cut",
          "gate cut \"A\" in gate par a || b end par end cut" },
        { "par (a ||| b) || hide A in c end hide || (hide A in d) end par",
          "gate par gate par a || b end par || gate hide \"A\" in c end hide || gate "
          "hide "
          "\"A\" in d end hide end par" },
        { "a[y/x]|[G]|b", "gate par \"G\" in gate rename \"x\" -> \"y\", \"'x\" -> "
                          "\"'y\" in a end rename "
                          "|| b end par" },
    };
    check_own(rows, COUNT_OF(rows));
}

static void words_are_cut_as_specified(void)
{
    static const row rows[] = {
        { "hide A(**)in(* (* *)a --", "gate hide \"A\" in a end hide" },
        { "a--b\n|||--c\r\nb", "gate par a || b end par" },
        { "hide \"\\a\\(\\)\\1\\n\\x\\\\\\\"\\?\" in a",
          "gate hide \"\a\\\\(\\\\)\\\\1\\\\n\\\\x\\\\\\\"?\" in a end hide" },
        { "hide \"hide\", hid_e2, in2 in a",
          "gate hide \"hide\", \"hid_e2\", \"in2\" in a end hide" },
        { "hide \"\" in a", "gate hide \"\" in a end hide" },
        { "par a end(* *)par", "gate par a end par" },
        { "total hide \"\xc3\xa9\" in a end hide",
          "total hide \"\xc3\xa9\" in a end hide" },
    };
    check_own(rows, COUNT_OF(rows));
}

static void languages_have_their_words(void)
{
    static const struct {
        const char *header, *language, *hidden, *termination;
        bool fold;
    } rows[] = {
        { "", "", "i", "exit", false },
        { "behaviour", "lotos", "i", "exit", true },
        { "behavior", "lotos", "i", "exit", true },
        { "lotos behaviour", "lotos", "i", "exit", true },
        { "elotos behaviour", "elotos", "i", "exit", false },
        { "ccs behaviour", "ccs", "t", NULL, true },
        { "csp behaviour", "csp", "t", "delta", true },
        { "mcrl behavior", "mcrl", "tau", NULL, false },
    };
    exp_case c = exp_case_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[80];
        mem m = MEM_INIT;
        err e = ERR_INIT;
        exp_net *n;
        snprintf(text, sizeof text, "%s a", rows[i].header);
        exp_case_write(&c, "main.exp", text);
        CU_ASSERT_EQUAL_FATAL(exp_read(&n, c.path, &(exp_options){ .m = &m }, &e), 0);
        CU_ASSERT_STRING_EQUAL(n->language, rows[i].language);
        CU_ASSERT_STRING_EQUAL(n->hidden.at, rows[i].hidden);
        CU_ASSERT_EQUAL(n->termination.at == NULL, rows[i].termination == NULL);
        if (rows[i].termination)
            CU_ASSERT_STRING_EQUAL(n->termination.at, rows[i].termination);
        CU_ASSERT_EQUAL(n->fold, rows[i].fold);
        CU_ASSERT_STRING_EQUAL(n->coaction.at, "'");
        CU_ASSERT_EQUAL(n->file_count, 1);
        exp_close(n);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    exp_case_close(&c);
}

static void languages_mean_what_they_say(void)
{
    static const row rows[] = {
        { "behaviour a |[g, Exit, I]| b",
          "lotos behaviour gate par \"G\", \"exit\", \"i\" in a || b end par" },
        { "lotos behaviour rename a -> \"exit !x\", b -> \"I\", c -> exits in a end "
          "rename",
          "lotos behaviour gate rename \"a\" -> \"exit !X\", \"b\" -> \"i\", \"c\" -> "
          "\"EXITS\" in a end rename" },
        { "elotos behaviour a |[g]| b",
          "elotos behaviour gate par \"g\" in a || b end par" },
        { "ccs behaviour (a | b) \\ x",
          "ccs behaviour gate cut \"x\", \"'x\" in (a | b) end cut" },
        { "ccs behaviour a[T/x]",
          "ccs behaviour gate rename \"x\" -> \"t\", \"'x\" -> \"t\" in a end rename" },
        { "csp behaviour a \\ {x, y}",
          "csp behaviour gate hide \"x\", \"y\" in a end hide" },
        { "csp behaviour a [{x}||{X, y}] b",
          "csp behaviour gate par \"X\" in gate cut all but \"x\", \"delta\" in a "
          "end cut || gate cut all but \"X\", \"y\", \"delta\" in b end cut end "
          "par" },
        { "mcrl behaviour comm s | r = c, x|y=\"z\" end comm a || b ||| c",
          "mcrl behaviour comm \"s\" | \"r\" = \"c\", \"x\" | \"y\" = \"z\" end comm (a "
          "|| "
          "gate par b || c end par)" },
        { "mcrl behaviour par a || b end par", "mcrl behaviour gate par a || b end par" },
    };
    check_own(rows, COUNT_OF(rows));
}

static void inclusion_is_textual(void)
{
    static const row rows[] = {
        { "\"hidden.exp\" || b",
          "gate hide \"A\" in gate par all in a || b end par end hide" },
        { "(\"hidden.exp\") || b",
          "gate par all in gate hide \"A\" in a end hide || b end par" },
        { "c ||| \"infix.exp\" || d",
          "gate par c || gate par a || gate par all in b || d end par end par end par" },
        { "par \"a.exp\", b in a || b end par",
          "gate par \"a.exp\", \"b\" in a || b end par" },
        { "par \"a.exp\" -> \"sub/in.exp\" || b end par",
          "gate par \"a.exp\" -> \"sub/e.aut\" || b end par" },
        { "hide \"a.exp\" in a \\ \"b.exp\"",
          "gate hide \"a.exp\" in gate cut \"b\\\\.exp\", \"'b\\\\.exp\" in a end cut "
          "end "
          "hide" },
        { "\"twice.exp\" ||| \"twice.exp\"",
          "gate par a || gate par a || gate par a || a end par end par end par" },
        { "hide using rules in a end hide", "gate hide \"A\", \"B !1\" in a end hide" },
        { "total rename using \"sub/r.rename\" in a end rename",
          "total rename \"A\" -> \"B\" in a end rename" },
        { "cut using rules in a end cut", "gate cut all but \"C\" in a end cut" },
        { "hide using \"other.txt\" in a end hide", "gate hide \"Z\" in a end hide" },
    };
    exp_case c = exp_case_open();
    CU_ASSERT_EQUAL_FATAL(mkdir(scratch_path(&c.dir, "sub"), 0700), 0);
    exp_case_write(&c, "hidden.exp", "hide A in a");
    exp_case_write(&c, "infix.exp", "a ||| b");
    exp_case_write(&c, "twice.exp", "\"one.exp\" ||| \"one.exp\"");
    exp_case_write(&c, "one.exp", "a");
    exp_case_write(&c, "sub/in.exp", "\"e\"");
    exp_case_write(&c, "sub/e.aut", "");
    exp_case_write(&c, "rules.hid", "hide\nA\n\"B !1\"\n");
    exp_case_write(&c, "rules.cut", "cut all but\nC\n");
    exp_case_write(&c, "sub/r.rename", "rename\nA -> B\n");
    exp_case_write(&c, "other.txt", "hide\nZ\n");
    check_trees(&c, rows, COUNT_OF(rows));
    mem m = MEM_INIT;
    err e = ERR_INIT;
    exp_net *n;
    exp_case_write(&c, "main.exp",
                   "\"one.exp\" ||| \"one.exp\" ||| hide using rules in a end hide");
    CU_ASSERT_EQUAL_FATAL(exp_read(&n, c.path, &(exp_options){ .m = &m }, &e), 0);
    CU_ASSERT_EQUAL_FATAL(n->file_count, 3);
    CU_ASSERT_STRING_EQUAL(strrchr(n->files[2], '/'), "/rules.hid");
    exp_close(n);
    exp_case_close(&c);
}

static void components_are_found_by_suffix(void)
{
    static const row rows[] = {
        { "xx", "\"xx.bcg\"" },
        { "y", "\"y.aut.gz\"" },
        { "\"xx.aut\"", "\"xx.aut\"" },
        { "z", "\"z.plts\"" },
        { "\"y.aut.gz\"", "\"y.aut.gz\"" },
        { "\"v.1\"", "\"v.1.aut\"" },
    };
    exp_case c = exp_case_open();
    static const char *const files[] = { "xx.bcg", "xx.aut", "y.aut.gz", "z.plts",
                                         "v.1.aut" };
    for (size_t i = 0; i < COUNT_OF(files); i++) exp_case_write(&c, files[i], "");
    check_trees(&c, rows, COUNT_OF(rows));
    exp_case_close(&c);
}

/* ---- mistakes ------------------------------------------------------------------------------ */

static void mistakes_are_located_and_explained(void)
{
    static const row rows[] = {
        { "", "main.exp:1:1: the network ends here; expected a behaviour" },
        { "  \n", "main.exp:1:1: the network ends here; expected a behaviour" },
        { "a ||| ", "main.exp:1:6: the network ends here; expected a behaviour" },
        { "a b", "main.exp:1:3: found b; expected the end, || or an operator" },
        { "a\n  || )", "main.exp:2:6: found ); expected a behaviour" },
        { "(a", "main.exp:1:3: the network ends here; expected ||, an operator or )" },
        { "hide A a", "main.exp:1:8: found a; expected in or a comma" },
        { "hide , in a", "main.exp:1:6: found ,; expected all, in, using or a name" },
        { "x",
          "main.exp:1:1: there is no file x with .bcg, .aut, .plts, .aut.gz, .aut.zst "
          "or .aut.bz2 behind; expected an automaton" },
        { "a || \"x.aut\"", "main.exp:1:6: there is no file x.aut that can be read; "
                            "expected an automaton" },
        { "\"x.exp\"",
          "main.exp:1:1: there is no file x.exp that can be read; expected a "
          "network to include" },
        { "a.aut", "main.exp:1:2: '.' means nothing here; expected names with a dot in "
                   "double quotes" },
        { "hide A !1 in a", "main.exp:1:8: '!' means nothing here; expected labels with "
                            "offers in double quotes" },
        { "a \x01", "main.exp:1:3: the byte 1 means nothing here; expected a network of "
                    "automata" },
        { "a (* b",
          "main.exp:1:3: this comment is not closed; expected *) before the end" },
        { "\"a\n\"",
          "main.exp:1:1: this quote is not closed; expected \" on the same line" },
        { "hide A_ in a",
          "main.exp:1:6: this name ends in _; expected double quotes around "
          "it" },
        { "par a end",
          "main.exp:1:7: end alone; expected hide, cut, rename, prio, par or "
          "comm behind it" },
        { "par a ||| b end par", "main.exp:1:7: found |||; expected in, end par, ||, an "
                                 "operator, ->, a comma or #; "
                                 "inside par other parallel operators need parentheses" },
        { "par hide A in a || b end par",
          "main.exp:1:22: found end par; expected end hide, || or an operator; inside "
          "other "
          "operators a hide needs its end hide, or parentheses" },
        { "cut A in hide B in a end cut",
          "main.exp:1:22: found end cut; expected end hide, || or an operator; inside "
          "other "
          "operators a hide needs its end hide, or parentheses" },
        { "cut A in a",
          "main.exp:1:11: the network ends here; expected end cut, || or an "
          "operator" },
        { "total par a end par",
          "main.exp:1:1: this is no mode of par; expected gate or label before it" },
        { "partial rename A -> B in a end rename",
          "main.exp:1:1: this is no mode of rename; expected gate, total, single or "
          "multiple "
          "before it" },
        { "label hide A in a end hide", "main.exp:1:1: this is no mode of hide; expected "
                                        "gate, total or partial before it" },
        { "total hide A in a",
          "main.exp:1:18: the network ends here; expected end hide, || "
          "or an operator" },
        { "hide B, \"[\" in a",
          "main.exp:1:9: this is no regular expression: Invalid regular expression; "
          "expected a UNIX basic one" },
        { "total rename A -> \"\\1\" in a end rename",
          "main.exp:1:14: \\1 on the right, but 0 \\(...\\) on the left; expected as "
          "many as "
          "are used" },
        { "par using A * B -> C in a end par",
          "main.exp:1:11: this vector has 2 items, but 1 behaviours follow; expected one "
          "item "
          "for each" },
        { "par using A * i -> C in a || b end par",
          "main.exp:1:15: the hidden label i in a vector; expected a visible one, hidden "
          "transitions go on alone" },
        { "behaviour par using A * I -> C in a || b end par",
          "main.exp:1:25: the hidden label i in a vector; expected a visible one, hidden "
          "transitions go on alone" },
        { "par using A * _ -> C, _ * _ -> B in a || b end par",
          "main.exp:1:23: in this vector nobody moves; expected a label beside the _" },
        { "par A#x in a end par", "main.exp:1:7: found x; expected a number" },
        { "par A#1234567890123456 in a end par",
          "main.exp:1:7: this number is too large; expected at most 15 digits" },
        { "comm a | b = c end comm a",
          "main.exp:1:6: comm belongs to mCRL; expected mcrl behaviour before it" },
        { "mcrl behaviour comm a | b = c, b|a = d end comm a",
          "main.exp:1:32: b | a again; expected one rule for two gates" },
        { "mcrl behaviour comm tau | b = c end comm a",
          "main.exp:1:21: the hidden label communicates; expected visible gates" },
        { "lotos a", "main.exp:1:7: found a; expected behaviour" },
        { "hide using none in a end hide", "main.exp:1:12: there is no file none with "
                                           ".hid or .hide behind; expected a file of "
                                           "rules" },
        { "hide using bad in a end hide",
          "bad.hid:1:1: found 'cut'; expected the header hide or hide all but" },
        { "a |||\n\"wrong.exp\"", "wrong.exp:2:3: found ); expected a behaviour" },
        { "a ||| \"language.exp\"", "language.exp:1:1: found behaviour; expected a "
                                    "behaviour; the language is chosen "
                                    "where the first file begins" },
        { "\"main.exp\"", "main.exp:1:1: main.exp includes itself; expected inclusions "
                          "without a cycle" },
        { "\"loop.exp\"", "loop2.exp:1:7: loop.exp includes itself; expected inclusions "
                          "without a cycle" },
        { "\"open.exp\"", "open.exp:1:2: the network ends here; expected a behaviour" },
    };
    exp_case c = exp_case_open();
    exp_case_write(&c, "bad.hid", "cut\nA\n");
    exp_case_write(&c, "wrong.exp", "\n  )");
    exp_case_write(&c, "language.exp", "behaviour a");
    exp_case_write(&c, "loop.exp", "\"loop2.exp\"");
    exp_case_write(&c, "loop2.exp", "a ||| \"loop.exp\"");
    exp_case_write(&c, "open.exp", "(");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        err_code code;
        char *found = exp_case_outcome(&c, rows[i].text, NULL, &code);
        if (strcmp(found, rows[i].expected) != 0)
            printf("\n%s\n  gives    %s\n  expected %s\n", rows[i].text, found,
                   rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        CU_ASSERT_EQUAL(code, ERR_INPUT);
        free(found);
    }
    exp_case_close(&c);
}

CU_TestInfo test_exp[] = {
    { "each operator has its tree", each_operator_has_its_tree },
    { "operators bind as specified", operators_bind_as_specified },
    { "words are cut as specified", words_are_cut_as_specified },
    { "languages have their words", languages_have_their_words },
    { "languages mean what they say", languages_mean_what_they_say },
    { "inclusion is textual", inclusion_is_textual },
    { "components are found by suffix", components_are_found_by_suffix },
    { "mistakes are located and explained", mistakes_are_located_and_explained },
    CU_TEST_INFO_NULL
};
