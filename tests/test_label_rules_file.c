/*
 * Files of rules, right ones and wrong ones, and memory that fails while they are read.
 */
#include "core/ids.h"
#include "lang/label_rules.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static void rule_files_are_read(void)
{
    static const struct {
        const char *word, *text;
        label_mode mode;
        const char *inside, *outside;
    } rows[] = {
        { "hide", "hide\nA.*\n\n  \"B !1\"  \r\n", LABEL_TOTAL, "B !1", "C" },
        { "hide", "\n  hide   all \t but \nA\n", LABEL_GATE, "B", "A !1" },
        { "cut", "cut\n\"A B\"", LABEL_TOTAL, "A B", "\"A B\"" },
        { "sync", "Sync all but\nA\n", LABEL_TOTAL, "a", "A" },
        { "sync", "sync\nA\n", LABEL_PARTIAL, "xAx", "a" },
        { "hide", "hide", LABEL_TOTAL, NULL, "hide" },
        { "hide", "hide\n\"\"\n", LABEL_TOTAL, "", "A" },
    };
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "rules");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *s;
        scratch_write(path, rows[i].text, strlen(rows[i].text));
        CU_ASSERT_EQUAL(label_set_read(&s, &m, rows[i].mode, rows[i].word, path, &e), 0);
        if (s == NULL) printf("\n  row %zu: %s", i, e.text);
        if (s == NULL) continue;
        const char *in = rows[i].inside, *out = rows[i].outside;
        CU_ASSERT(in == NULL || label_set_has(s, in, strlen(in)));
        CU_ASSERT(!label_set_has(s, out, strlen(out)));
        label_set_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

static void rename_files_are_read(void)
{
    static const char text[] = "rename\n\"PUT !\\([A-Z]*\\)\" -> \"GET !\\1\"\n"
                               "  A->B\n\"x -> y\"  ->  \"\"\n A \t -> C \n";
    static const char *const rows[][2] = {
        { "PUT !A", "GET !A" }, { "A", "B" }, { "x -> y", "" }, { "Z", "Z" }
    };
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "x.ren");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_map *s;
    arena a = ARENA_INIT(&m, 1 << 10);
    scratch_write(path, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(label_map_read(&s, &m, LABEL_TOTAL, path, &e), 0);
    CU_ASSERT_EQUAL(label_map_count(s), 4);
    CU_ASSERT_STRING_EQUAL(label_map_rule(s, 3).to, "C");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *found;
        size_t bytes;
        label_map_apply(s, &a, rows[i][0], strlen(rows[i][0]), &found, &bytes, &e);
        CU_ASSERT_STRING_EQUAL(found, rows[i][1]);
    }
    label_map_close(s);
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

static void mistakes_in_rule_files_have_a_place(void)
{
    static const struct {
        bool map;
        const char *text, *place, *words;
    } rows[] = {
        { false, "", ":1:1: ", "the file is empty; expected hide or hide all but" },
        { false, "\n\n", ":1:1: ", "the file is empty" },
        { false, "\n  cut\nA\n", ":2:3: ", "found 'cut'; expected the header hide" },
        { false, "hide all\nA\n", ":1:1: ", "found 'hide all'" },
        { false, "hides\nA\n", ":1:1: ", "found 'hides'" },
        { false, "hide\nA\n \"B\nC\n", ":3:2: ", "not closed" },
        { false, "hide\nA\n  \"[\"\n", ":3:4: ", "no regular expression" },
        { true, "rename all but\n", ":1:1: ", "expected the header rename" },
        { true, "rename\nA\n", ":2:1: ", "expected LEFT -> RIGHT" },
        { true, "rename\n\"A -> B\"\n", ":2:1: ", "expected LEFT -> RIGHT" },
        { true, "rename\nA ->\n", ":2:5: ", "a side is empty" },
        { true, "rename\n -> B\n", ":2:2: ", "a side is empty" },
        { true, "rename\nB -> A\nA -> \\1\n", ":3:1: ", "\\1 on the right" },
    };
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "rules");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *s = NULL;
        label_map *t = NULL;
        scratch_write(path, rows[i].text, strlen(rows[i].text));
        int code = rows[i].map ? label_map_read(&t, &m, LABEL_TOTAL, path, &e)
                               : label_set_read(&s, &m, LABEL_TOTAL, "hide", path, &e);
        CU_ASSERT_EQUAL(code, ERR_INPUT);
        CU_ASSERT_PTR_NULL(s);
        CU_ASSERT_PTR_NULL(t);
        CU_ASSERT_EQUAL(m.now, 0);
        bool right =
            strncmp(e.text, path, strlen(path)) == 0 &&
            strncmp(e.text + strlen(path), rows[i].place, strlen(rows[i].place)) == 0 &&
            strstr(e.text, rows[i].words) != NULL;
        if (!right) printf("\n  row %zu: %s", i, e.text);
        CU_ASSERT(right);
    }
    scratch_close(&dir);
}

static void the_nth_allocation_fails(void)
{
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "rules");
    char text[4000] = "rename\n";
    for (unsigned i = 0; i < 40; i++)
        sprintf(text + strlen(text), "\"A%u !\\(.*\\)\" -> B\\1\nC%u -> D\n", i, i);
    scratch_write(path, text, strlen(text));
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_map *s;
        m.fail_at = n;
        int code = label_map_read(&s, &m, LABEL_TOTAL, path, &e);
        CU_ASSERT_EQUAL(code, m.calls >= n ? (int)ERR_LIMIT : 0);
        label_map_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
        if (code == 0) break;
    }
    scratch_close(&dir);
}

CU_TestInfo test_label_rules_file[] = {
    { "rule files are read", rule_files_are_read },
    { "rename files are read", rename_files_are_read },
    { "mistakes in rule files have a place", mistakes_in_rule_files_have_a_place },
    { "the n-th allocation fails", the_nth_allocation_fails },
    CU_TEST_INFO_NULL
};
