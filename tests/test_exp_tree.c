/*
 * Random networks against the tree that their writer had in mind, texts that are too deep or
 * too long, and memory that fails.
 */
#include "core/ids.h"
#include "lang/exp_tree.h"
#include "tests/exp_case.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool becomes(exp_case *c, const char *text, const char *tree)
{
    err_code code;
    char *found = exp_case_outcome(c, text, NULL, &code);
    bool right = code == ERR_NONE && strcmp(found, tree) == 0;
    if (!right) printf("\n%s\n  gives    %s\n  expected %s\n", text, found, tree);
    free(found);
    return right;
}

static void random_networks_become_their_trees(void)
{
    enum { NETWORKS = 4000 };
    exp_case c = exp_case_open();
    size_t bytes = 0, wrong = 0;
    for (uint64_t seed = 0; seed < NETWORKS && wrong < 3; seed++) {
        random_stream r = random_open(seed, 3);
        exp_case_text x = exp_case_random(&r);
        bool right = becomes(&c, x.text, x.tree) && becomes(&c, x.tree, x.tree);
        if (!right) printf("  seed %llu\n", (unsigned long long)seed);
        wrong += !right;
        bytes += strlen(x.tree);
        free(x.text);
        free(x.tree);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(bytes > 100 * NETWORKS); /* they are no trivial ones */
    exp_case_close(&c);
}

/* `before` n times, the middle, `behind` n times. */
static char *nested(const char *before, const char *middle, const char *behind, size_t n)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    for (size_t i = 0; i < n; i++) fputs(before, to);
    fputs(middle, to);
    for (size_t i = 0; i < n; i++) fputs(behind, to);
    fclose(to);
    return text;
}

static void deep_texts_end_in_a_message(void)
{
    static const struct {
        const char *before, *middle, *behind;
        size_t n;
        const char *message; /* NULL: it is read */
    } rows[] = {
        { "a ||| ", "b", "", EXP_HEIGHT_MAX - 1, NULL },
        { "a ||| ", "b", "", EXP_HEIGHT_MAX, "nested more than 2000 deep" },
        { "a ||| ", "b", "", 200000, "nested more than 2000 deep" },
        { "hide A in ", "b", "", EXP_HEIGHT_MAX - 1, NULL },
        { "hide A in ", "b", "", EXP_HEIGHT_MAX, "nested more than 2000 deep" },
        { "", "b", "[x/y]", EXP_HEIGHT_MAX - 1, NULL },
        { "", "b", "[x/y]", EXP_HEIGHT_MAX, "nested more than 2000 deep" },
        { "(", "b", ")", EXP_HEIGHT_MAX, NULL },
        { "(", "b", ")", 300000, "nested more than 2000 deep" },
        { "(((((((", "b", "", 3, "the network ends here" },
        { "par a || ", "b end par", "", 1, NULL },
        { "a,", "a", "", 1, "found ,; expected" },
    };
    exp_case c = exp_case_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        err_code code;
        char *text = nested(rows[i].before, rows[i].middle, rows[i].behind, rows[i].n);
        char *found = exp_case_outcome(&c, text, NULL, &code);
        bool right = rows[i].message
                         ? code == ERR_INPUT && strstr(found, rows[i].message) != NULL
                         : code == ERR_NONE;
        if (!right) printf("\n  row %zu: %.200s", i, found);
        CU_ASSERT(right);
        free(text);
        free(found);
    }
    exp_case_close(&c);
}

static void growing_inclusions_end_in_a_message(void)
{
    exp_case c = exp_case_open();
    err_code code;
    char name[32], text[80];
    for (int i = 0; i < 40; i++) { /* each includes the next twice */
        snprintf(name, sizeof name, "n%d.exp", i);
        snprintf(text, sizeof text, "(\"n%d.exp\") \\ x ||| (\"n%d.exp\")", i + 1, i + 1);
        exp_case_write(&c, name, text);
    }
    exp_case_write(&c, "n40.exp", "a");
    char *found = exp_case_outcome(&c, "\"n0.exp\"", NULL, &code);
    CU_ASSERT_PTR_NOT_NULL(strstr(found, "the inclusions make too much text"));
    CU_ASSERT_EQUAL(code, ERR_INPUT);
    free(found);
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "m%d.exp", i);
        snprintf(text, sizeof text, "\"m%d.exp\"", i + 1);
        exp_case_write(&c, name, text);
    }
    found = exp_case_outcome(&c, "\"m0.exp\"", NULL, &code);
    CU_ASSERT_PTR_NOT_NULL(strstr(found, "inclusions are more than 200 deep"));
    free(found);
    exp_case_close(&c);
}

static void the_nth_allocation_fails(void)
{
    static const char text[] = "csp behaviour hide A, \"B.*\" in par using A * _ -> B in "
                               "\"in.exp\" || (a [{x}||{x}] "
                               "b \\ y) end par ||| rename a -> b, c -> d in prio A > B "
                               "> C in label par X#2 in Y -> a "
                               "|| b end par end prio end rename [[x <- y]] ||| hide "
                               "using r in a end hide ||| rename "
                               "using r in cut A in b [x/y] end cut end rename";
    exp_case c = exp_case_open();
    exp_case_write(&c, "in.exp", "(a | b)");
    exp_case_write(&c, "r.hid", "hide\nA\n");
    exp_case_write(&c, "r.ren", "rename\nA -> B\n");
    exp_case_write(&c, "main.exp", text);
    size_t refused = 0;
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        exp_net *net;
        m.fail_at = n;
        int code = exp_read(&net, c.path, &(exp_options){ .m = &m }, &e);
        if (code != (m.calls >= n ? (int)ERR_LIMIT : 0)) printf("\n  %s\n", e.text);
        CU_ASSERT_EQUAL(code, m.calls >= n ? (int)ERR_LIMIT : 0);
        CU_ASSERT_EQUAL(net == NULL, code != 0);
        exp_close(net);
        CU_ASSERT_EQUAL(m.now, 0);
        if (code == 0 || n > 10000) break;
        refused++;
    }
    CU_ASSERT(refused > 20);
    exp_case_close(&c);
}

static void a_file_that_is_not_there_is_said(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    exp_net *n;
    CU_ASSERT_EQUAL(exp_read(&n, "/nonexistent/x.exp", &(exp_options){ .m = &m }, &e),
                    ERR_INPUT);
    CU_ASSERT_PTR_NULL(n);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "/nonexistent/x.exp"));
    CU_ASSERT_EQUAL(m.now, 0);
    exp_close(NULL);
}

CU_TestInfo test_exp_tree[] = {
    { "random networks become their trees", random_networks_become_their_trees },
    { "deep texts end in a message", deep_texts_end_in_a_message },
    { "growing inclusions end in a message", growing_inclusions_end_in_a_message },
    { "the n-th allocation fails", the_nth_allocation_fails },
    { "a file that is not there is said", a_file_that_is_not_there_is_said },
    CU_TEST_INFO_NULL
};
