#include "models/model_file.h"
#include "tests/scratch.h"

#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "des (1, 2, 3)\n(1, a, 0)\n(0, tau, 2)\n";

static void a_name_tells_what_it_is(void)
{
    static const struct {
        const char *path;
        bool implicit, program;
        size_t stem;
    } rows[] = {
        { "x.exp", true, false, 1 },      { "x.so", true, true, 1 },
        { "dir.so/x", false, false, 8 },  { "x.aut", false, false, 1 },
        { "x.aut.gz", false, false, 1 },  { "x.plts", false, false, 1 },
        { ".exp", false, false, 4 },      { ".so", false, false, 3 },
        { "so", false, false, 2 },        { "a.exp.so", true, true, 5 },
        { "x.exp.gz", false, false, 5 },  { "-", false, false, 1 },
        { "a b.so.exp", true, false, 6 }, { "x.so.1", false, false, 6 },
        { "", false, false, 0 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CU_ASSERT_EQUAL(model_file_is_implicit(rows[i].path), rows[i].implicit);
        CU_ASSERT_EQUAL(model_file_is_program(rows[i].path), rows[i].program);
        CU_ASSERT_EQUAL(model_file_stem(rows[i].path), rows[i].stem);
    }
}

static void the_kinds_are_listed(void)
{
    size_t count = 0;
    for (; model_file_kind_get(count).suffix; count++) {
        char path[32];
        snprintf(path, sizeof path, "x%s", model_file_kind_get(count).suffix);
        CU_ASSERT(model_file_is_implicit(path));
        CU_ASSERT_PTR_NOT_NULL(model_file_kind_get(count).doc);
    }
    CU_ASSERT_EQUAL(count, 2);
}

static int open_file(model **out, mem *m, const char *path, const char *argument, err *e)
{
    static const char *const hidden[] = { "tau" };
    model_file_options o = { .load = { .m = m, .hidden = hidden, .hidden_count = 1 } };
    o.load.threads = 1;
    o.arguments = &argument;
    o.argument_count = argument ? 1 : 0;
    return model_file_open(out, path, &o, e);
}

static void an_lts_is_a_model_with_rows(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "x.aut");
    scratch_write(path, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(open_file(&s, &m, path, NULL, &e), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->rows);
    CU_ASSERT(s->rows->states == 3 && s->rows->initial == 1);
    CU_ASSERT(s->key_words == 1 && s->initial[0] == 1);
    CU_ASSERT(s->file_count == 1 && strcmp(s->files[0], path) == 0);
    CU_ASSERT_NOT_EQUAL(label_table_hidden(s->labels), LABEL_NONE);
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

static void what_is_wrong_is_told(void)
{
    static const struct {
        const char *name, *argument;
        int code;
        const char *text;
    } rows[] = {
        { "x.aut", "7", ERR_USAGE, "--model-arg 7: " },
        { "missing.exp", "7", ERR_USAGE, "takes no arguments; expected a plug-in (.so)" },
        { "missing.exp", NULL, ERR_INPUT, "missing.exp" },
        { "missing.so", "7", ERR_INPUT, "missing.so: cannot be opened: No such file" },
        { "rubbish", NULL, ERR_INPUT, "are read; so are networks (.exp) and plug-ins" },
        { "x.dot", NULL, ERR_INPUT, "not read; .plts, .aut, .aut.gz, .aut.zst" },
        { "x.dot", NULL, ERR_INPUT, "so are networks (.exp) and plug-ins (.so)" },
        { "missing", NULL, ERR_INPUT, "missing: cannot be opened: No such file" },
    };
    scratch dir = scratch_open();
    scratch_write(scratch_path(&dir, "x.aut"), text, strlen(text));
    scratch_write(scratch_path(&dir, "rubbish"), "rubbish\n", 8);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        const char *path = scratch_path(&dir, rows[i].name);
        CU_ASSERT_EQUAL(open_file(&s, &m, path, rows[i].argument, &e), rows[i].code);
        if (strstr(e.text, rows[i].text) == NULL) printf("\n  found %s", e.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].text));
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

static void the_nth_allocation_fails(void)
{
    scratch dir = scratch_open();
    const char *path = scratch_path(&dir, "x.aut");
    scratch_write(path, text, strlen(text));
    size_t refused = 0;
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        m.fail_at = n;
        int code = open_file(&s, &m, path, NULL, &e);
        CU_ASSERT(code == 0 || code == ERR_LIMIT);
        if (code == 0) model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
        refused += code == ERR_LIMIT;
        if (m.calls < n) break;
    }
    CU_ASSERT(refused > 5);
    scratch_close(&dir);
}

CU_TestInfo test_model_file[] = {
    { "a name tells what it is", a_name_tells_what_it_is },
    { "the kinds are listed", the_kinds_are_listed },
    { "an LTS is a model with rows", an_lts_is_a_model_with_rows },
    { "what is wrong is told", what_is_wrong_is_told },
    { "the n-th allocation fails", the_nth_allocation_fails },
    CU_TEST_INFO_NULL
};
