#include "core/ids.h"
#include "lang/output.h"
#include "lang/source.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const suffixes[] = { "", ".gz", ".zst", ".bz2" };

/* Write `text` to `path` in one piece; 0 or a code, the account empty afterwards. */
static int write_text(const char *path, const char *text, err *e)
{
    mem m = MEM_INIT;
    output *o = NULL;
    if (output_open(&o, &m, path, e) == 0 && output_write(o, text, strlen(text), e) == 0)
        output_commit(o, e);
    output_close(o);
    CU_ASSERT_EQUAL(m.now, 0);
    return (int)e->code;
}

static void assert_content(const char *path, const char *text)
{
    char *have = scratch_read(path, NULL);
    CU_ASSERT_STRING_EQUAL(have, text);
    free(have);
}

static void a_file_appears_only_when_it_is_complete(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, path, &e), 0);
    CU_ASSERT_EQUAL(output_write(o, "hello", 5, &e), 0);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_EQUAL(output_commit(o, &e), 0);
    output_close(o);
    assert_content(path, "hello");
    CU_ASSERT_EQUAL(scratch_count(&s), 1);
    scratch_close(&s);
}

static void without_commit_the_older_file_stays(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    scratch_write(path, "old", 3);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, path, &e), 0);
    CU_ASSERT_EQUAL(output_write(o, "new", 3, &e), 0);
    output_close(o);
    assert_content(path, "old");
    CU_ASSERT_EQUAL(scratch_count(&s), 1);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

/* Pieces around the sizes of the buffers, by all three ways of writing. */
static void bytes_arrive_in_order(void)
{
    static const size_t pieces[] = { 1,      0,      7,      65536,  65535,
                                     500000, 524288, 524287, 524289, 1500000,
                                     3,      1,      65536 };
    scratch s = scratch_open();
    char *data = malloc(1500000), *all = malloc(6000000);
    for (size_t i = 0; i < 1500000; i++) data[i] = (char)(i * 2654435761u >> 13);
    for (size_t k = 0; k < COUNT_OF(suffixes); k++) {
        char name[16] = "x";
        const char *path = scratch_path(&s, strcat(name, suffixes[k]));
        mem m = MEM_INIT;
        err e = ERR_INIT;
        output *o = NULL;
        size_t bytes = 0;
        CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, path, &e), 0);
        for (size_t i = 0; i < COUNT_OF(pieces); i++) {
            if (pieces[i] <= OUTPUT_WINDOW_MAX) {
                char *window = output_window(o, pieces[i], &e);
                memcpy(window, data, pieces[i]);
                output_advance(o, pieces[i]);
            } else {
                CU_ASSERT_EQUAL(output_write(o, data, pieces[i], &e), 0);
            }
            memcpy(all + bytes, data, pieces[i]);
            bytes += pieces[i];
        }
        CU_ASSERT_EQUAL(output_commit(o, &e), 0);
        output_close(o);
        source *src = NULL;
        char *back = malloc(bytes + 1);
        size_t have = 0;
        ssize_t got;
        CU_ASSERT_EQUAL_FATAL(source_open(&src, &m, path, &e), 0);
        while ((got = source_read(src, back + have, bytes + 1 - have, &e)) > 0)
            have += (size_t)got;
        CU_ASSERT_EQUAL(have, bytes);
        CU_ASSERT_EQUAL(memcmp(back, all, bytes), 0);
        source_close(src);
        CU_ASSERT_EQUAL(m.now, 0);
        free(back);
    }
    free(data);
    free(all);
    scratch_close(&s);
}

static void places_can_be_written_in_any_order(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, path, &e), 0);
    CU_ASSERT_EQUAL(output_write_at(o, 6, "world", 5, &e), 0);
    CU_ASSERT_EQUAL(output_write_at(o, 0, "hello ", 6, &e), 0);
    CU_ASSERT_EQUAL(output_commit(o, &e), 0);
    output_close(o);
    assert_content(path, "hello world");
    scratch_close(&s);
}

static void what_cannot_be_written_says_why(void)
{
    scratch s = scratch_open();
    static const struct {
        const char *name, *why;
    } rows[] = {
        { "no/such/file", "No such file" },
        { "", "is a directory" },
        { "loop", "symbolic links" },
    };
    CU_ASSERT_EQUAL(symlink("loop", scratch_path(&s, "loop")), 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        err e = ERR_INIT;
        const char *path = scratch_path(&s, rows[i].name);
        CU_ASSERT_EQUAL(write_text(path, "x", &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].why));
    }
    scratch_close(&s);
}

static void a_full_disk_is_the_machines_failure(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, "/dev/full", &e), 0);
    CU_ASSERT_EQUAL(output_write(o, "x", 1, &e), 0); /* it waits in the buffer */
    CU_ASSERT_EQUAL(output_commit(o, &e), ERR_SYSTEM);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "/dev/full"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "No space left"));
    output_close(o);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* A file that may not grow: the write fails in the middle, in a child. */
static void write_beyond_limit(const char *path)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    static char block[100000];
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 1000000, 1000000 }) != 0) _exit(2);
    if (output_open(&o, &m, path, &e) != 0) _exit(3);
    for (int i = 0; i < 100 && e.code == ERR_NONE; i++)
        output_write(o, block, sizeof block, &e);
    output_close(o);
    _exit(e.code == ERR_SYSTEM && m.now == 0 ? 0 : 1);
}

static void a_failed_write_leaves_nothing(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    scratch_write(path, "old", 3);
    pid_t child = fork();
    if (child == 0) write_beyond_limit(path);
    int status = 1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    assert_content(path, "old");
    CU_ASSERT_EQUAL(scratch_count(&s), 1);
    scratch_close(&s);
}

/* Write for ever, saying so on `ready` once something is on the disk. */
static void write_until_killed(const char *path, int ready)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    static char block[100000];
    if (output_open(&o, &m, path, &e) != 0) _exit(3);
    for (int i = 0;; i = i < 1000 ? i + 1 : i) {
        if (i < 1000 && output_write(o, block, sizeof block, &e) != 0) _exit(4);
        if (i == 20 && write(ready, "x", 1) != 1) _exit(5);
    }
}

static bool has_nameless_files(const scratch *s)
{
    int fd = open(s->dir, O_TMPFILE | O_RDWR, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
}

static void a_killed_writer_leaves_nothing(void)
{
    scratch s = scratch_open();
    if (!has_nameless_files(&s)) { /* then the header promises less */
        printf("skipped: %s has no nameless files (O_TMPFILE) ", s.dir);
        scratch_close(&s);
        return;
    }
    const char *path = scratch_path(&s, "x");
    int ready[2];
    char c;
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) write_until_killed(path, ready[1]);
    CU_ASSERT_EQUAL(read(ready[0], &c, 1), 1);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    CU_ASSERT(WIFSIGNALED(status));
    CU_ASSERT_EQUAL(scratch_count(&s), 0);
    close(ready[0]);
    close(ready[1]);
    scratch_close(&s);
}

/* From now on this process has no nameless files: opening one is refused. */
static bool forbid_nameless_files(void)
{
    enum { NAMELESS_BIT = O_TMPFILE & ~O_DIRECTORY };
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMELESS_BIT, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { COUNT_OF(steps), steps };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* In a child: 0 = as it should be, 77 = cannot be tried here, else the line that fails. */
static int write_without_nameless_files(scratch *s)
{
    const char *path = scratch_path(s, "x");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    output *o = NULL;
    if (!forbid_nameless_files() || has_nameless_files(s)) return 77;
    if (output_open(&o, &m, path, &e) != 0 || output_write(o, "a", 1, &e) != 0) return 1;
    if (scratch_count(s) != 1 || access(path, F_OK) == 0) return 2; /* the hidden one */
    output_close(o);
    if (scratch_count(s) != 0) return 3;
    for (int i = 0; i < 2; i++) { /* the second time it replaces */
        if (write_text(path, i ? "second" : "first", &e) != 0) return 4;
        if (scratch_count(s) != 1) return 5;
    }
    char *have = scratch_read(path, NULL);
    int same = strcmp(have, "second") == 0;
    free(have);
    return same ? 0 : 6;
}

static void without_nameless_files_a_hidden_one_serves(void)
{
    scratch s = scratch_open();
    pid_t child = fork();
    if (child == 0) _exit(write_without_nameless_files(&s));
    int status = 1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        printf("skipped: system calls cannot be filtered here ");
    else CU_ASSERT_EQUAL(status, 0);
    scratch_close(&s);
}

static void a_link_stays_and_its_target_is_replaced(void)
{
    scratch s = scratch_open();
    const char *dir = scratch_path(&s, "d"), *target = scratch_path(&s, "d/target");
    const char *first = scratch_path(&s, "first"), *second = scratch_path(&s, "second");
    CU_ASSERT_EQUAL(mkdir(dir, 0700), 0);
    CU_ASSERT_EQUAL(symlink("d/target", first), 0);
    CU_ASSERT_EQUAL(symlink(first, second), 0); /* a link to a link, absolute */
    const char *const texts[] = { "made through dangling links", "replaced" };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        err e = ERR_INIT;
        struct stat st;
        CU_ASSERT_EQUAL(write_text(second, texts[i], &e), 0);
        CU_ASSERT(lstat(first, &st) == 0 && S_ISLNK(st.st_mode));
        CU_ASSERT(lstat(second, &st) == 0 && S_ISLNK(st.st_mode));
        CU_ASSERT(lstat(target, &st) == 0 && S_ISREG(st.st_mode));
        assert_content(target, texts[i]);
    }
    scratch_close(&s);
}

static void modes_are_kept_or_the_users_default(void)
{
    scratch s = scratch_open();
    const char *old = scratch_path(&s, "old"), *fresh = scratch_path(&s, "fresh");
    err e = ERR_INIT;
    struct stat st;
    scratch_write(old, "x", 1);
    CU_ASSERT_EQUAL(chmod(old, 0604), 0);
    mode_t before = umask(027);
    CU_ASSERT_EQUAL(write_text(old, "y", &e), 0);
    CU_ASSERT_EQUAL(write_text(fresh, "y", &e), 0);
    umask(before);
    CU_ASSERT(stat(old, &st) == 0 && (st.st_mode & 07777) == 0604);
    CU_ASSERT(stat(fresh, &st) == 0 && (st.st_mode & 07777) == 0640);
    scratch_close(&s);
}

static void a_pipe_is_written_and_stays_a_pipe(void)
{
    scratch s = scratch_open();
    const char *pipe = scratch_path(&s, "pipe");
    struct stat st;
    char back[16] = "";
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(mkfifo(pipe, 0600), 0);
    int fd = open(pipe, O_RDWR); /* a reader, so that opening does not wait */
    CU_ASSERT_EQUAL(write_text(pipe, "hello", &e), 0);
    CU_ASSERT_EQUAL(read(fd, back, sizeof back), 5);
    CU_ASSERT_STRING_EQUAL(back, "hello");
    CU_ASSERT(lstat(pipe, &st) == 0 && S_ISFIFO(st.st_mode));
    CU_ASSERT_EQUAL(scratch_count(&s), 1);
    mem m = MEM_INIT;
    output *o = NULL;
    CU_ASSERT_EQUAL_FATAL(output_open(&o, &m, pipe, &e), 0);
    CU_ASSERT_EQUAL(output_write_at(o, 0, "x", 1, &e), ERR_INPUT);
    output_close(o);
    close(fd);
    scratch_close(&s);
}

/* /dev/fd/N leads to a regular file: that very open file is continued, not replaced. */
static void an_open_file_is_continued(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    char name[32];
    err e = ERR_INIT;
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    CU_ASSERT_EQUAL(write(fd, "a ", 2), 2);
    CU_ASSERT_EQUAL(write_text(name, "b ", &e), 0);
    CU_ASSERT_EQUAL(write(fd, "c", 1), 1);
    close(fd);
    assert_content(path, "a b c");
    scratch_close(&s);
}

static void failing_memory_is_reported_and_nothing_leaks(void)
{
    scratch s = scratch_open();
    for (size_t k = 0; k < COUNT_OF(suffixes); k++) {
        char name[16] = "x";
        const char *path = scratch_path(&s, strcat(name, suffixes[k]));
        for (size_t n = 1;; n++) {
            mem m = { .fail_at = n };
            err e = ERR_INIT;
            output *o = NULL;
            if (output_open(&o, &m, path, &e) == 0 &&
                output_write(o, "hello", 5, &e) == 0)
                output_commit(o, &e);
            output_close(o);
            CU_ASSERT_EQUAL(m.now, 0);
            if (m.calls < n) {
                CU_ASSERT_EQUAL(e.code, ERR_NONE);
                CU_ASSERT(n > 2);
                break;
            }
            CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
            CU_ASSERT_EQUAL(scratch_count(&s), k); /* those of the codecs before */
        }
    }
    scratch_close(&s);
}

static void what_is_read_is_not_written(void)
{
    static const struct {
        const char *path, *read;
        bool same;
    } rows[] = { { "a", "a", true },       { "link", "a", true },  { "a", "link", true },
                 { "a", "b", false },      { "none", "a", false }, { "a", "none", false },
                 { "none", "none", false } };
    scratch s = scratch_open();
    scratch_write(scratch_path(&s, "a"), "x", 1);
    scratch_write(scratch_path(&s, "b"), "x", 1);
    CU_ASSERT_EQUAL_FATAL(symlink("a", scratch_path(&s, "link")), 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        err e = ERR_INIT;
        const char *path = scratch_path(&s, rows[i].path);
        CU_ASSERT_EQUAL(output_check_apart(path, scratch_path(&s, rows[i].read), &e),
                        rows[i].same ? ERR_USAGE : 0);
        CU_ASSERT(!rows[i].same || strstr(e.text, "is read; expected another file"));
    }
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(output_check_apart(NULL, scratch_path(&s, "a"), &e), 0);
    CU_ASSERT_EQUAL(output_check_apart("/dev/null", "/dev/null", &e), 0);
    scratch_close(&s);
}

CU_TestInfo test_output[] = {
    { "a file appears only when it is complete",
      a_file_appears_only_when_it_is_complete },
    { "without commit the older file stays", without_commit_the_older_file_stays },
    { "bytes arrive in order", bytes_arrive_in_order },
    { "places can be written in any order", places_can_be_written_in_any_order },
    { "what cannot be written says why", what_cannot_be_written_says_why },
    { "a full disk is the machine's failure", a_full_disk_is_the_machines_failure },
    { "a failed write leaves nothing", a_failed_write_leaves_nothing },
    { "a killed writer leaves nothing", a_killed_writer_leaves_nothing },
    { "without nameless files a hidden one serves",
      without_nameless_files_a_hidden_one_serves },
    { "a link stays and its target is replaced",
      a_link_stays_and_its_target_is_replaced },
    { "modes are kept, or the user's default", modes_are_kept_or_the_users_default },
    { "a pipe is written and stays a pipe", a_pipe_is_written_and_stays_a_pipe },
    { "an open file is continued", an_open_file_is_continued },
    { "what is read is not written", what_is_read_is_not_written },
    { "failing memory is reported and nothing leaks",
      failing_memory_is_reported_and_nothing_leaks },
    CU_TEST_INFO_NULL
};
