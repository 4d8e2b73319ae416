#include "core/ids.h"
#include "lang/source.h"
#include "tests/packed_file.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const codecs[PACKED_KINDS] = { "plain", "gzip", "zstd", "bzip2" };

/* Text that compresses, but not to nothing. */
static char *sample_text(size_t bytes)
{
    char *text = malloc(bytes);
    unsigned x = 1;
    for (size_t i = 0; i < bytes; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = i % 24 == 23 ? '\n' : (char)('a' + (x >> 28));
    }
    return text;
}

/* All that a source gives, `step` bytes at a time; -1 with e set when it fails. */
static ssize_t drain(const char *path, char *into, size_t room, size_t step, err *e)
{
    mem m = MEM_INIT;
    source *s = NULL;
    if (source_open(&s, &m, path, e) != 0) return -1;
    size_t have = 0;
    ssize_t got;
    while ((got = source_read(s, into + have, room - have < step ? room - have : step,
                              e)) > 0) {
        have += (size_t)got;
        if (have == room) break;
    }
    source_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    return got < 0 ? -1 : (ssize_t)have;
}

static void every_codec_gives_the_text_back(void)
{
    enum { BYTES = 1500000 };
    static const size_t steps[] = { 1000, 65536, 1 << 22 };
    scratch s = scratch_open();
    char *text = sample_text(BYTES), *back = malloc(BYTES + 1);
    for (packed_kind i = 0; i < PACKED_KINDS; i++) {
        size_t bytes;
        char *data = packed_bytes(i, text, BYTES, &bytes);
        const char *path = scratch_path(&s, "no_suffix"); /* the name says nothing */
        scratch_write(path, data, bytes);
        for (size_t k = 0; k < COUNT_OF(steps); k++) {
            err e = ERR_INIT;
            CU_ASSERT_EQUAL(drain(path, back, BYTES + 1, steps[k], &e), BYTES);
            CU_ASSERT_EQUAL(memcmp(text, back, BYTES), 0);
        }
        free(data);
    }
    free(text);
    free(back);
    scratch_close(&s);
}

static void the_codec_is_told_by_the_first_bytes(void)
{
    scratch s = scratch_open();
    for (packed_kind i = 0; i < PACKED_KINDS; i++) {
        size_t bytes;
        char *data = packed_bytes(i, "des", 3, &bytes);
        const char *path = scratch_path(&s, "x");
        scratch_write(path, data, bytes);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        source *src = NULL;
        CU_ASSERT_EQUAL_FATAL(source_open(&src, &m, path, &e), 0);
        CU_ASSERT_STRING_EQUAL(source_codec(src), codecs[i]);
        CU_ASSERT_EQUAL(source_is_plain(src), i == 0);
        source_close(src);
        free(data);
    }
    scratch_close(&s);
}

static void an_empty_file_is_plain_and_empty(void)
{
    scratch s = scratch_open();
    char c;
    err e = ERR_INIT;
    scratch_write(scratch_path(&s, "empty"), "", 0);
    CU_ASSERT_EQUAL(drain(scratch_path(&s, "empty"), &c, 1, 1, &e), 0);
    scratch_close(&s);
}

/* What stands behind the first member, and what comes of it. */
static void members_in_a_row_and_what_may_follow(void)
{
    static const struct {
        packed_kind kind;
        const char *tail;
        size_t tail_bytes;
        int again;         /* the member stands twice */
        const char *error; /* NULL = fine */
    } rows[] = {
        { PACKED_GZ, "", 0, 1, NULL },
        { PACKED_ZST, "", 0, 1, NULL },
        { PACKED_BZ2, "", 0, 1, NULL },
        { PACKED_GZ, "\0\0\0\0\0\0\0", 7, 0, NULL },
        { PACKED_GZ, "\0\0\0\0\0\0\0", 7, 1, NULL },
        { PACKED_GZ, "\0\0x", 3, 0, "not gzip" },
        { PACKED_GZ, "hello", 5, 0, "not gzip" },
        { PACKED_GZ, "\x1f", 1, 0, "not gzip" },
        { PACKED_GZ, "\x1f\x8b", 2, 0, "truncated" },
        { PACKED_ZST, "\0\0\0\0", 4, 0, "not zstd" },
        { PACKED_ZST, "\x28\xb5\x2f\xfd", 4, 0, "truncated" },
        { PACKED_ZST, "\x50\x2a\x4d\x18\2\0\0\0ab", 10, 0, NULL }, /* a frame to skip */
        { PACKED_BZ2, "x", 1, 0, "not bzip2" },
        { PACKED_BZ2, "BZh9", 4, 0, "truncated" },
    };
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t bytes;
        char *data = packed_bytes(rows[i].kind, "hello\n", 6, &bytes);
        char whole[4096];
        size_t n = 0;
        for (int k = 0; k <= rows[i].again; k++, n += bytes)
            memcpy(whole + n, data, bytes);
        memcpy(whole + n, rows[i].tail, rows[i].tail_bytes);
        const char *path = scratch_path(&s, "x");
        scratch_write(path, whole, n + rows[i].tail_bytes);
        err e = ERR_INIT;
        char back[64];
        ssize_t got = drain(path, back, sizeof back, sizeof back, &e);
        if (rows[i].error == NULL) {
            CU_ASSERT_EQUAL(got, 6 * (rows[i].again + 1));
            CU_ASSERT_EQUAL(memcmp(back, "hello\nhello\n", (size_t)got), 0);
        } else {
            CU_ASSERT_EQUAL(got, -1);
            CU_ASSERT_EQUAL(e.code, ERR_INPUT);
            CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].error));
        }
        free(data);
    }
    scratch_close(&s);
}

static void a_truncated_file_is_an_error_at_every_length(void)
{
    scratch s = scratch_open();
    char *text = sample_text(3000), back[4096];
    for (packed_kind i = 1; i < PACKED_KINDS; i++) {
        size_t bytes;
        char *data = packed_bytes(i, text, 3000, &bytes);
        for (size_t n = 4; n < bytes; n++) { /* shorter ones are no packed files */
            const char *path = scratch_path(&s, "x");
            scratch_write(path, data, n);
            err e = ERR_INIT;
            CU_ASSERT_EQUAL(drain(path, back, sizeof back, sizeof back, &e), -1);
            CU_ASSERT_EQUAL(e.code, ERR_INPUT);
        }
        free(data);
    }
    free(text);
    scratch_close(&s);
}

/* Every single changed byte is noticed, or does not change the text. */
static void a_damaged_file_is_never_other_text(void)
{
    scratch s = scratch_open();
    char *text = sample_text(1000), back[4096];
    for (packed_kind i = 1; i < PACKED_KINDS; i++) {
        size_t bytes, refused = 0;
        char *data = packed_bytes(i, text, 1000, &bytes);
        for (size_t n = 4; n < bytes; n++) {
            const char *path = scratch_path(&s, "x");
            data[n] ^= 0x41;
            scratch_write(path, data, bytes);
            data[n] ^= 0x41;
            err e = ERR_INIT;
            ssize_t got = drain(path, back, sizeof back, sizeof back, &e);
            CU_ASSERT(got == -1 || (got == 1000 && memcmp(text, back, 1000) == 0));
            refused += got == -1;
        }
        CU_ASSERT(refused > bytes / 2);
        free(data);
    }
    free(text);
    scratch_close(&s);
}

static void what_cannot_be_opened_says_why(void)
{
    scratch s = scratch_open();
    static const struct {
        const char *name, *why;
    } rows[] = {
        { "missing", "No such file" },
        { "", "is a directory" },
        { "missing/file", "No such file" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        source *src = NULL;
        const char *path = scratch_path(&s, rows[i].name);
        CU_ASSERT_EQUAL(source_open(&src, &m, path, &e), ERR_INPUT);
        CU_ASSERT_PTR_NULL(src);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].why));
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&s);
}

/* A child that is nobody tries to open a file of ours.  Exit status 0: refused in words. */
static void try_as_nobody(const char *path)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    source *src = NULL;
    if (getuid() == 0 && setuid(65534) != 0) _exit(2);
    int rc = source_open(&src, &m, path, &e);
    _exit(rc == ERR_INPUT && strstr(e.text, path) && strstr(e.text, "Permission") ? 0
                                                                                  : 1);
}

static void an_unreadable_file_says_so(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "secret");
    scratch_write(path, "des", 3);
    CU_ASSERT_EQUAL(chmod(path, 0), 0);
    pid_t child = fork();
    if (child == 0) try_as_nobody(path);
    int status = 1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    scratch_close(&s);
}

/* A child trickles the file into a pipe, so that reads are short. */
static void feed(const char *pipe, const char *data, size_t bytes)
{
    int fd = open(pipe, O_WRONLY);
    for (size_t n = 0; n < bytes; n += 5)
        if (write(fd, data + n, bytes - n < 5 ? bytes - n : 5) < 0) _exit(1);
    _exit(0);
}

static void pipes_work_for_every_codec(void)
{
    scratch s = scratch_open();
    const char *pipe = scratch_path(&s, "pipe");
    CU_ASSERT_EQUAL_FATAL(mkfifo(pipe, 0600), 0);
    char *text = sample_text(5000), back[8192];
    for (packed_kind i = 0; i < PACKED_KINDS; i++) {
        size_t bytes;
        char *data = packed_bytes(i, text, 5000, &bytes);
        pid_t child = fork();
        if (child == 0) feed(pipe, data, bytes);
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(drain(pipe, back, sizeof back, sizeof back, &e), 5000);
        CU_ASSERT_EQUAL(memcmp(text, back, 5000), 0);
        int status = 1;
        waitpid(child, &status, 0);
        CU_ASSERT_EQUAL(status, 0);
        free(data);
    }
    free(text);
    scratch_close(&s);
}

static void a_plain_file_is_read_at_any_place(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x");
    scratch_write(path, "0123456789", 10);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    source *src = NULL;
    char back[16];
    CU_ASSERT_EQUAL_FATAL(source_open(&src, &m, path, &e), 0);
    CU_ASSERT_EQUAL(source_plain_bytes(src), 10);
    CU_ASSERT_EQUAL(source_read_at(src, 3, back, 4, &e), 4);
    CU_ASSERT_EQUAL(memcmp(back, "3456", 4), 0);
    CU_ASSERT_EQUAL(source_read_at(src, 8, back, 16, &e), 2);
    CU_ASSERT_EQUAL(source_read_at(src, 10, back, 1, &e), 0);
    CU_ASSERT_EQUAL(source_read(src, back, 16, &e), 10); /* both at once is fine */
    source_close(src);
    scratch_close(&s);
}

static void failing_memory_is_reported_and_nothing_leaks(void)
{
    scratch s = scratch_open();
    for (packed_kind i = 0; i < PACKED_KINDS; i++) {
        size_t bytes;
        char *data = packed_bytes(i, "hello\n", 6, &bytes), back[64];
        const char *path = scratch_path(&s, "x");
        scratch_write(path, data, bytes);
        int failures = 0;
        for (size_t n = 1;; n++) {
            mem m = { .fail_at = n };
            err e = ERR_INIT;
            source *src = NULL;
            int rc = source_open(&src, &m, path, &e);
            ssize_t got = rc == 0 ? source_read(src, back, sizeof back, &e) : -1;
            source_close(rc == 0 ? src : NULL);
            CU_ASSERT_EQUAL(m.now, 0);
            if (m.calls < n) { /* it was not reached */
                CU_ASSERT_EQUAL(got, 6);
                break;
            }
            CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
            failures++;
        }
        CU_ASSERT(failures >= 2);
        free(data);
    }
    scratch_close(&s);
}

CU_TestInfo test_source[] = {
    { "every codec gives the text back", every_codec_gives_the_text_back },
    { "the codec is told by the first bytes", the_codec_is_told_by_the_first_bytes },
    { "an empty file is plain and empty", an_empty_file_is_plain_and_empty },
    { "members in a row and what may follow", members_in_a_row_and_what_may_follow },
    { "a truncated file is an error at every length",
      a_truncated_file_is_an_error_at_every_length },
    { "a damaged file is never other text", a_damaged_file_is_never_other_text },
    { "what cannot be opened says why", what_cannot_be_opened_says_why },
    { "an unreadable file says so", an_unreadable_file_says_so },
    { "pipes work for every codec", pipes_work_for_every_codec },
    { "a plain file is read at any place", a_plain_file_is_read_at_any_place },
    { "failing memory is reported and nothing leaks",
      failing_memory_is_reported_and_nothing_leaks },
    CU_TEST_INFO_NULL
};
