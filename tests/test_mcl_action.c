#include "lang/mcl.h"
#include "lang/mcl_action.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const char *const labels[] = { "a",        "i",       "SEND",        "SEND !1",
                                      "SEND !12", "RECV !1", "SEND !\"x\"", "b.c",
                                      "bxc",      "",        "a*",          "^a$" };

static label_table *table(mem *m)
{
    err e = ERR_INIT;
    label_table *t = NULL;
    label_id id;
    CU_ASSERT_EQUAL_FATAL(label_table_open(&t, m, &e), 0);
    CU_ASSERT_EQUAL_FATAL(label_table_hide(t, "tau", &e), 0);
    for (size_t i = 0; i < COUNT_OF(labels); i++)
        CU_ASSERT_EQUAL_FATAL(label_table_put(t, labels[i], strlen(labels[i]), &id, &e),
                              0);
    return t;
}

/* The labels of a set, each between bars. */
static void list(const uint64_t *set, const label_table *t, char *into, size_t bytes)
{
    strcpy(into, "|");
    for (label_id l = 0; l < label_table_count(t); l++)
        if (mcl_action_has(set, l))
            snprintf(into + strlen(into), bytes - strlen(into), "%s|",
                     label_table_text(t, l, NULL));
}

static void formulas_match_whole_labels(void)
{
    static const struct {
        const char *action, *expected;
    } rows[] = {
        { "\"a\"", "|a|" },
        { "\"A\"", "|" },
        { "\"i\"", "|i|" },
        { "\"tau\"", "|i|" }, /* another name of the hidden label */
        { "\"SEND\"", "|SEND|" },
        { "'SEND'", "|SEND|" },
        { "'SEND.*'", "|SEND|SEND !1|SEND !12|SEND !\"x\"|" },
        { "'SEND !.'", "|SEND !1|" },
        { "'.* !1'", "|SEND !1|RECV !1|" },
        { "'SEND !1*2'", "|SEND !12|" },
        { "'b.c'", "|b.c|bxc|" },
        { "'b\\.c'", "|b.c|" },
        { "\"b.\" # 'c'", "|b.c|" },
        { "'[^S].*'", "|a|i|RECV !1|b.c|bxc|a*|^a$|" },
        { "''", "||" },
        { "'^a$'", "|a|" }, /* anchors are redundant */
        { "\"^a$\" # ''", "|^a$|" },
        { "'a\\|i'", "|a|i|" },
        { "'\\(.\\).\\1'", "|" },
        { "'S\\{1\\}END !\\(1\\|12\\)'", "|SEND !1|SEND !12|" },
        { "'a'", "|a|" },
        { "not '.*'", "|" },
        { "not \"i\" and '.'", "|a|" },
        { "\"a\" or \"i\" or \"none\"", "|a|i|" },
        { "'.' implies \"a\" and not false and '.'",
          "|a|SEND|SEND !1|SEND !12|RECV !1|SEND !\"x\"|b.c|bxc||a*|^a$|" },
        { "'.' equ \"a\"",
          "|a|SEND|SEND !1|SEND !12|RECV !1|SEND !\"x\"|b.c|bxc||a*|^a$|" },
        { "false", "|" },
        { "\"a\" | 'b.*'", "|a|b.c|bxc|" },
    };
    mem m = MEM_INIT;
    label_table *t = table(&m);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        err e = ERR_INIT;
        char text[200], found[300];
        mcl *f = NULL;
        mcl_action_sets *sets = NULL;
        snprintf(text, sizeof text, "<%s> true", rows[i].action);
        CU_ASSERT_EQUAL_FATAL(mcl_parse(&f, &m, text, NULL, &e), 0);
        const mcl_node *action = mcl_root(f)->left;
        CU_ASSERT_EQUAL_FATAL(mcl_action_compile(&sets, &m, &action, 1, t, &e), 0);
        list(mcl_action_set(sets, 0), t, found, sizeof found);
        if (strcmp(found, rows[i].expected) != 0)
            printf("\n%s matches %s, not %s\n", rows[i].action, found, rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        mcl_action_close(sets);
        mcl_close(f);
    }
    label_table_close(t);
    CU_ASSERT_EQUAL(m.now, 0);
}

static label_id label_of(const char *text, size_t bytes, const label_table *t)
{
    mcl_node n = { .kind = MCL_STRING, .text = text, .bytes = bytes };
    return mcl_action_label(t, &n);
}

/* Models keep the backslash that AUT wants before a quote; formulas do not have it. */
static void a_quote_matches_with_and_without_a_backslash(void)
{
    enum { LONG = 5000 };
    static char longer[LONG], cut[LONG];
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_table *t = NULL;
    label_id behind, bare, prefix;
    memset(longer, 'x', sizeof longer);
    longer[0] = '"';
    cut[0] = '\\';
    memcpy(cut + 1, longer, LONG - 1);
    CU_ASSERT_EQUAL_FATAL(label_table_open(&t, &m, &e), 0);
    label_table_put(t, "q\\\"x", 4, &behind, &e);
    label_table_put(t, "r\"x", 3, &bare, &e);
    for (size_t bytes = 4000; bytes < 4200; bytes++) /* what a cut text might look like */
        label_table_put(t, cut, bytes, &prefix, &e);
    CU_ASSERT_EQUAL(label_of("q\"x", 3, t), behind);
    CU_ASSERT_EQUAL(label_of("r\"x", 3, t), bare);
    CU_ASSERT_EQUAL(label_of("s\"x", 3, t), LABEL_NONE);
    CU_ASSERT_EQUAL(label_of(longer, sizeof longer, t), LABEL_NONE);
    label_table_close(t);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* 0 labels, and counts on both sides of a word's edge; complements have no stray bits. */
static void sets_fit_any_number_of_labels(void)
{
    static const label_id counts[] = { 0, 1, 63, 64, 65, 128, 1000 };
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_table *t = NULL;
        label_id id;
        CU_ASSERT_EQUAL_FATAL(label_table_open(&t, &m, &e), 0);
        for (label_id l = 0; l < counts[i]; l++) {
            char text[20];
            int bytes = snprintf(text, sizeof text, "L%u", l);
            label_table_put(t, text, (size_t)bytes, &id, &e);
        }
        mcl *f = NULL;
        mcl_action_sets *sets = NULL;
        CU_ASSERT_EQUAL_FATAL(
            mcl_parse(&f, &m, "<true . not \"L0\" . not 'L.*'> true", NULL, &e), 0);
        const mcl_node *seq = mcl_root(f)->left;
        const mcl_node *all[] = { seq->left->left, seq->left->right, seq->right };
        CU_ASSERT_EQUAL_FATAL(mcl_action_compile(&sets, &m, all, 3, t, &e), 0);
        CU_ASSERT_EQUAL(mcl_action_count(sets, 0), counts[i]);
        CU_ASSERT_EQUAL(mcl_action_count(sets, 1), counts[i] == 0 ? 0 : counts[i] - 1);
        CU_ASSERT_EQUAL(mcl_action_count(sets, 2), 0);
        mcl_action_close(sets);
        mcl_close(f);
        label_table_close(t);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_mcl_action[] = {
    { "a quote matches with and without a backslash",
      a_quote_matches_with_and_without_a_backslash },
    { "formulas match whole labels", formulas_match_whole_labels },
    { "sets fit any number of labels", sets_fit_any_number_of_labels },
    CU_TEST_INFO_NULL
};
