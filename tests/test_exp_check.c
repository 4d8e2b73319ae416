/*
 * Networks that are read although they cannot have been meant so: each warning with its place,
 * and none where there is nothing to say.
 */
#include "core/ids.h"
#include "tests/capture.h"
#include "tests/exp_case.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *text;
    const char
        *warning; /* all that is printed, without "bespoke: warning: " and newline */
} row;

static void check_rows(const row *rows, size_t count)
{
    static capture c;
    exp_case k = exp_case_open();
    exp_case_write(&k, "r.hid", "hide\nB\nA !1\n");
    exp_case_write(&k, "r.ren", "rename\nA !1 -> B\n");
    for (size_t i = 0; i < count; i++) {
        log_sink log = LOG_INIT;
        err_code code;
        capture_begin(&c);
        free(exp_case_outcome(&k, rows[i].text, &log, &code));
        const char *found = capture_end(&c);
        char expected[600] = "";
        if (rows[i].warning[0])
            snprintf(expected, sizeof expected, "bespoke: warning: %s/%s\n", k.dir.dir,
                     rows[i].warning);
        if (strcmp(found, expected) != 0)
            printf("\n%s\n  gives    %s\n  expected %s\n", rows[i].text, found, expected);
        CU_ASSERT_STRING_EQUAL(found, expected);
        CU_ASSERT_EQUAL(code, ERR_NONE);
    }
    exp_case_close(&k);
}

static void what_cannot_be_meant_is_told(void)
{
    static const row rows[] = {
        { "a |[A, i]| b", "main.exp:1:8: the hidden label i in an interface; expected a "
                          "visible one, hidden "
                          "transitions go on alone" },
        { "behaviour a |[I]| b", "main.exp:1:15: the hidden label i in an interface; "
                                 "expected a visible one, hidden "
                                 "transitions go on alone" },
        { "a |[exit]| b",
          "main.exp:1:5: the gate of termination, exit, in an interface; all "
          "parts synchronise on it anyway" },
        { "csp behaviour par Delta -> a || b end par",
          "main.exp:1:19: the gate of termination, delta, in an interface; all parts "
          "synchronise on it anyway" },
        { "a |[A, B, A]| b", "main.exp:1:11: A is in this interface twice" },
        { "behaviour a |[A, a]| b", "main.exp:1:18: A is in this interface twice" },
        { "par A#3 in a || b end par", "main.exp:1:5: A#3 wants 3 parts together, of "
                                       "which there are 2; it never happens" },
        { "par A#2 -> a || b || A#1 -> c end par",
          "main.exp:1:5: A#2 wants 2 parts together, of which there are 1; it never "
          "happens" },
        { "par \"A !1\" in a || b end par", "main.exp:1:5: A !1 has offers, so no gate "
                                            "is called so; expected a gate, or the "
                                            "word label before par" },
        { "par A -> a || A, B#2, A -> b || B#2 -> c end par",
          "main.exp:1:23: A is in this interface twice" },
        { "par using \"A !1\" * _ -> B in a || b end par",
          "main.exp:1:11: A !1 has offers, so no gate is called so; expected a gate, or "
          "the "
          "word label before par" },
        { "hide B, \"A !1\" in a",
          "main.exp:1:9: A !1 has offers, so no gate is called "
          "so; expected a gate, or the word total before the operator" },
        { "rename \"A !\\(.*\\)\" -> B in a end rename",
          "main.exp:1:8: A !\\(.*\\) has offers, so no gate is called so; expected a "
          "gate, or the word total before the operator" },
        { "prio A > \"B ?x\" in a end prio", "main.exp:1:10: B ?x has offers, "
                                             "so no gate is called so; expected a gate, "
                                             "or the word total before the operator" },
        { "a [[x <- y, z <- v, x <- w]]",
          "main.exp:1:21: x is renamed twice; the first rule counts" },
        { "csp behaviour a [[x <- y, X <- w]]",
          "main.exp:1:27: X is renamed twice; the first rule counts" },
        { "hide using r in a end hide", "main.exp:1:12: A !1 has offers, so "
                                        "no gate is called so; expected a gate, or the "
                                        "word total before the operator" },
        { "rename using r in a end rename", "main.exp:1:14: A !1 has offers, "
                                            "so no gate is called so; expected a gate, "
                                            "or the word total before the operator" },
        { "a \\ \"x !1\"",
          "main.exp:1:5: x !1 has offers, so no gate is called so; expected a gate" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void nothing_is_told_where_all_is_well(void)
{
    static const row rows[] = {
        { "par A#2, A#1, A#0, B in A -> a || A -> b end par", "" },
        { "label par \"A !1\" in a || b end par", "" },
        { "label par using \"A !1\" * _ -> B in a || b end par", "" },
        { "total hide \"A !1\" in a end hide", "" },
        { "total hide using r in a end hide", "" },
        { "a [y/x, x/y]", "" },
        { "hide \"\\(A\\)\", \"[ !]\" in a", "" },
        { "par A#2 -> a || A#2 -> b end par", "" },
        { "gate rename A -> \"B !1\" in a end rename", "" },
        { "mcrl behaviour a |[exit, i]| b", "" },
        { "a |[I, Exit]| b", "" },
    };
    check_rows(rows, COUNT_OF(rows));
}

/* "N0, N1, ..." with something behind each name. */
static char *put_names(char *at, size_t count, const char *behind)
{
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%sN%zu%s", i ? ", " : "", i, behind);
    return at;
}

/* Each name is looked at a few times, not once per other name. */
static void long_lists_cost_their_length(void)
{
    enum { NAMES = 3000 };
    static const struct {
        const char *head, *behind, *between, *tail;
    } rows[] = {
        { "csp behaviour a [{", "", "} || {", "}] b" },
        { "csp behaviour a [[", " <- x", ", ", "]]" },
        { "behaviour par ", "#2", " -> a || ", " -> b end par" },
    };
    static char text[4 * NAMES * 16];
    static capture c;
    exp_case k = exp_case_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        exp_net *n = NULL;
        log_sink log = LOG_INIT;
        char *at = put_names(stpcpy(text, rows[i].head), NAMES, rows[i].behind);
        at = put_names(stpcpy(at, rows[i].between), NAMES, rows[i].behind);
        strcpy(at, rows[i].tail);
        exp_case_write(&k, "long.exp", text);
        const char *path = scratch_path(&k.dir, "long.exp");
        capture_begin(&c);
        CU_ASSERT_EQUAL(exp_read(&n, path, &(exp_options){ .m = &m, .log = &log }, &e),
                        0);
        capture_end(&c);
        exp_close(n);
        CU_ASSERT(m.peak < 8 << 20);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    exp_case_close(&k);
}

CU_TestInfo test_exp_check[] = {
    { "what cannot be meant is told", what_cannot_be_meant_is_told },
    { "nothing is told where all is well", nothing_is_told_where_all_is_well },
    { "long lists cost their length", long_lists_cost_their_length },
    CU_TEST_INFO_NULL
};
