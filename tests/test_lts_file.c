#include "core/ids.h"
#include "models/lts_file.h"
#include "tests/capture.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const log_sink quiet = { .level = LOG_QUIET };

static const sample_edge edges[] = {
    { 0, "a", 2 }, { 0, "i", 1 }, { 1, "SEND !1", 0 }, { 1, "b", 1 }, { 2, "a", 2 }
};
static const char text[] = "des (2, 5, 3)\n(0, a, 2)\n(0, i, 1)\n(1, \"SEND !1\", 0)\n"
                           "(1, b, 1)\n(2, a, 2)\n";

static lts sample(mem *m) { return sample_lts(m, 3, 2, edges, COUNT_OF(edges)); }

static void every_form_gives_the_lts_back(void)
{
    static const char *const names[] = { "x.aut",     "x.aut.gz", "x.aut.zst",
                                         "x.aut.bz2", "x.plts",   ".plts.aut" };
    scratch s = scratch_open();
    for (size_t i = 0; i < 2 * COUNT_OF(names); i++) {
        const char *path = scratch_path(&s, names[i / 2]);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet, .copy = i % 2 };
        lts g = sample(&m), back;
        CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e), 0);
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&back, path, &o, &e), 0);
        CU_ASSERT(sample_equal(&g, &back));
        CU_ASSERT_EQUAL(back.map != NULL, strcmp(names[i / 2], "x.plts") == 0 && !o.copy);
        lts_close(&g);
        lts_close(&back);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void a_chain_of_conversions_ends_in_the_same_text(void)
{
    static const char *const chain[] = { "a.plts",   "b.aut.zst", "c.plts", "d.aut.bz2",
                                         "e.aut.gz", "f.plts",    "g.aut" };
    scratch s = scratch_open();
    const char *from = scratch_path(&s, "start.aut");
    scratch_write(from, text, strlen(text));
    for (size_t i = 0; i < COUNT_OF(chain); i++) {
        const char *to = scratch_path(&s, chain[i]);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet };
        lts g;
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&g, from, &o, &e), 0);
        CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, to, LTS_FILE_KEEP, NULL, &e), 0);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        from = to;
    }
    char *have = scratch_read(from, NULL);
    CU_ASSERT_STRING_EQUAL(have, text);
    free(have);
    scratch_close(&s);
}

static void without_a_suffix_the_content_tells(void)
{
    static const char *const forms[] = { "x.aut", "x.aut.gz", "x.aut.bz2", "x.plts" };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const char *path = scratch_path(&s, forms[i]), *bare = scratch_path(&s, "bare");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet };
        lts g = sample(&m), back;
        CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e), 0);
        CU_ASSERT_EQUAL(rename(path, bare), 0);
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&back, bare, &o, &e), 0);
        CU_ASSERT(sample_equal(&g, &back));
        lts_close(&g);
        lts_close(&back);
    }
    scratch_close(&s);
}

/* Read bytes that come through a pipe. */
static int read_piped(lts *out, mem *m, const char *data, size_t bytes, err *e)
{
    scratch s = scratch_open();
    const char *pipe = scratch_path(&s, "pipe");
    CU_ASSERT_EQUAL_FATAL(mkfifo(pipe, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        scratch_write(pipe, data, bytes);
        _exit(0);
    }
    load_options o = { .m = m, .log = &quiet };
    lts_file_read(out, pipe, &o, e);
    waitpid(child, NULL, 0);
    scratch_close(&s);
    return (int)e->code;
}

static void a_pipe_without_a_suffix_is_aut(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample(&m), back;
    CU_ASSERT_EQUAL_FATAL(read_piped(&back, &m, text, strlen(text), &e), 0);
    CU_ASSERT(sample_equal(&g, &back));
    lts_close(&g);
    lts_close(&back);
}

static void a_plts_in_a_pipe_is_told_as_such(void)
{
    scratch s = scratch_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample(&m), back;
    const char *path = scratch_path(&s, "x.plts");
    CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e), 0);
    size_t bytes;
    char *data = scratch_read(path, &bytes);
    CU_ASSERT_EQUAL(read_piped(&back, &m, data, bytes, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "found a .plts"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "never from a pipe"));
    free(data);
    lts_close(&g);
    lts_close(&back);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void what_cannot_be_read_says_what_can(void)
{
    static const struct {
        const char *name, *content, *says;
    } rows[] = {
        { "x.lts", "mCRL2 binary", ".aut.zst" },
        { "empty", "", "not recognised" },
        { "x.dot", "digraph", "written, not read" },
        { "x.plts", "rubbish", "not a .plts" },
        { "x.aut.gz", "rubbish", "not gzip" },
        { "x.aut.bz2", "", "not bzip2" },
        { "x.plts.gz", "\x1f\x8b garbage", "not recognised" },
        { "x.txt", NULL, "No such file" },
        { "x.plts", NULL, "No such file" },
        { "x.aut", NULL, "No such file" },
        { "x.bcg", NULL, "No such file" },
        { "", NULL, "is a directory" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s = scratch_open();
        const char *path = scratch_path(&s, rows[i].name);
        if (rows[i].content)
            scratch_write(path, rows[i].content, strlen(rows[i].content));
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet };
        lts g;
        CU_ASSERT_EQUAL(lts_file_read(&g, path, &o, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].says));
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        scratch_close(&s);
    }
}

static void what_cannot_be_written_says_what_can(void)
{
    static const struct {
        const char *name, *says;
    } rows[] = { { "x", ".seq.zst or .seq.bz2" }, { "x.lts", ".aut.bz2" },
                 { "x.plts.gz", ".plts" },        { "x.bcg", "bcg_io" },
                 { "x.aut.xz", ".aut.zst" },      { ".aut", ".plts" } };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample(&m);
        const char *path = i == 5 ? rows[i].name : scratch_path(&s, rows[i].name);
        CU_ASSERT_EQUAL(lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e), ERR_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].says));
        CU_ASSERT_EQUAL(scratch_count(&s), 0);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

static void suffixes_are_listed_and_taken_off(void)
{
    static const char *const all[] = { ".plts",    ".aut",     ".aut.gz",
                                       ".aut.zst", ".aut.bz2", ".bcg" };
    char suffix[LTS_FILE_SUFFIX_BYTES], name[40];
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        CU_ASSERT_FATAL(lts_file_suffix(suffix, i));
        CU_ASSERT_STRING_EQUAL(suffix, all[i]);
        snprintf(name, sizeof name, "a.gz.b%s", suffix);
        CU_ASSERT_EQUAL(lts_file_stem(name), strlen("a.gz.b"));
    }
    CU_ASSERT_FALSE(lts_file_suffix(suffix, COUNT_OF(all)));
    CU_ASSERT_EQUAL(lts_file_stem("x.bes.zst"), strlen("x.bes"));
    CU_ASSERT_EQUAL(lts_file_stem("x.dot"), strlen("x.dot"));
    CU_ASSERT_EQUAL(lts_file_stem(".aut"), strlen(".aut"));
}

static void the_initial_state_can_be_made_the_first(void)
{
    static const char *const names[] = { "x.aut", "x.plts" };
    static const char want[] =
        "des (0, 5, 3)\n(0, a, 0)\n(1, \"SEND !1\", 2)\n(1, b, 1)\n"
        "(2, a, 0)\n(2, i, 1)\n";
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *path = scratch_path(&s, names[i]), *out = scratch_path(&s, "y.aut");
        mem m = MEM_INIT;
        err e = ERR_INIT;
        load_options o = { .m = &m, .log = &quiet };
        lts g = sample(&m), back;
        CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, path, LTS_FILE_INITIAL_FIRST, NULL, &e),
                              0);
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&back, path, &o, &e), 0);
        CU_ASSERT_EQUAL_FATAL(
            lts_file_write(&back, out, LTS_FILE_INITIAL_FIRST, NULL, &e),
            0); /* the second time nothing changes */
        char *have = scratch_read(out, NULL);
        CU_ASSERT_STRING_EQUAL(have, want);
        free(have);
        lts_close(&g);
        lts_close(&back);
    }
    scratch_close(&s);
}

static void the_time_limit_holds_for_writing(void)
{
    scratch s = scratch_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    progress clock;
    progress_open(&clock, PROGRESS_OFF, 1e-9);
    lts g = sample(&m);
    CU_ASSERT_EQUAL(
        lts_file_write(&g, scratch_path(&s, "x.aut"), LTS_FILE_KEEP, &clock, &e),
        ERR_LIMIT);
    CU_ASSERT_EQUAL(scratch_count(&s), 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void write_script(const char *path, const char *script)
{
    scratch_write(path, script, strlen(script));
    CU_ASSERT_EQUAL(chmod(path, 0755), 0);
}

/* A stand-in for bcg_io, and what becomes of loading x.bcg; NULL = there is none. */
static const struct {
    const char *script;
    int code;
    const char *says;
} bcg_cases[] = {
    { "#!/bin/sh\ncp \"$1\" \"$2\"\necho done\n", 0, "" },
    { "#!/bin/sh\ncp \"$1\" \"$2\"\nexit 3\n", ERR_INPUT, "status 3" },
    { "#!/bin/sh\nkill -9 $$\n", ERR_INPUT, "signal 9" },
    { "#!/bin/sh\nexit 0\n", ERR_INPUT, "x.bcg" }, /* it wrote nothing */
    { "#!/bin/sh\necho rubbish > \"$2\"\n", ERR_INPUT, "x.bcg:1:" },
    { NULL, ERR_INPUT, "bcg_io x.bcg x.aut" },
};

static void load_bcg(scratch *s, size_t i)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &m, .log = &quiet };
    lts g = sample(&m), back;
    size_t before = m.now;
    capture c;
    capture_begin(&c);
    int rc = lts_file_read(&back, scratch_path(s, "x.bcg"), &o, &e);
    const char *said = capture_end(&c);
    CU_ASSERT_EQUAL(rc, bcg_cases[i].code);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, bcg_cases[i].says));
    if (rc == 0) CU_ASSERT(sample_equal(&g, &back));
    if (rc == 0) CU_ASSERT_STRING_EQUAL(said, "done\n"); /* not on stdout */
    lts_close(&back);
    CU_ASSERT_EQUAL(m.now, before);
    lts_close(&g);
}

static void bcg_goes_through_bcg_io(void)
{
    char *path = strdup(getenv("PATH")), *tmp = getenv("TMPDIR");
    tmp = tmp ? strdup(tmp) : NULL;
    for (size_t i = 0; i < COUNT_OF(bcg_cases); i++) {
        scratch s = scratch_open();
        char with[8192];
        CU_ASSERT_EQUAL(mkdir(scratch_path(&s, "bin"), 0700), 0);
        CU_ASSERT_EQUAL(mkdir(scratch_path(&s, "tmp"), 0700), 0);
        if (bcg_cases[i].script)
            write_script(scratch_path(&s, "bin/bcg_io"), bcg_cases[i].script);
        scratch_write(scratch_path(&s, "x.bcg"), text, strlen(text));
        snprintf(with, sizeof with, "%s:/usr/bin:/bin", scratch_path(&s, "bin"));
        setenv("PATH", with, 1);
        setenv("TMPDIR", scratch_path(&s, "tmp"), 1);
        load_bcg(&s, i);
        CU_ASSERT_EQUAL(rmdir(scratch_path(&s, "tmp")), 0); /* nothing is left there */
        scratch_close(&s);
    }
    setenv("PATH", path, 1);
    if (tmp) setenv("TMPDIR", tmp, 1);
    else unsetenv("TMPDIR");
    free(path);
    free(tmp);
}

static void failing_memory_is_reported_and_nothing_leaks(void)
{
    static const char *const names[] = { "x.aut", "x.aut.gz", "x.plts", "x.dot", "bare" };
    scratch s = scratch_open();
    scratch_write(scratch_path(&s, "bare"), text, strlen(text));
    mem m = MEM_INIT;
    lts g = sample(&m);
    size_t before = m.now;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t n = 1;; n++) {
            const char *path = scratch_path(&s, names[i]);
            err e = ERR_INIT;
            load_options o = { .m = &m, .log = &quiet, .threads = 1 };
            lts back = { .m = &m };
            m.calls = 0;
            m.fail_at = n;
            if (i < 4) lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e);
            if (i != 3 && e.code == ERR_NONE) lts_file_read(&back, path, &o, &e);
            if (i != 3 && e.code == ERR_NONE) /* readers may do with fewer buffers */
                CU_ASSERT(sample_equal(&g, &back));
            lts_close(&back);
            CU_ASSERT_EQUAL(m.now, before);
            if (m.calls < n) {
                CU_ASSERT_EQUAL(e.code, ERR_NONE);
                break;
            }
            CU_ASSERT(e.code == ERR_LIMIT || e.code == ERR_NONE);
        }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

CU_TestInfo test_lts_file[] = {
    { "every form gives the LTS back", every_form_gives_the_lts_back },
    { "a chain of conversions ends in the same text",
      a_chain_of_conversions_ends_in_the_same_text },
    { "without a suffix the content tells", without_a_suffix_the_content_tells },
    { "a pipe without a suffix is AUT", a_pipe_without_a_suffix_is_aut },
    { "a .plts in a pipe is told as such", a_plts_in_a_pipe_is_told_as_such },
    { "what cannot be read says what can", what_cannot_be_read_says_what_can },
    { "what cannot be written says what can", what_cannot_be_written_says_what_can },
    { "suffixes are listed and taken off", suffixes_are_listed_and_taken_off },
    { "the initial state can be made the first",
      the_initial_state_can_be_made_the_first },
    { "the time limit holds for writing", the_time_limit_holds_for_writing },
    { "bcg goes through bcg_io", bcg_goes_through_bcg_io },
    { "failing memory is reported and nothing leaks",
      failing_memory_is_reported_and_nothing_leaks },
    CU_TEST_INFO_NULL
};
