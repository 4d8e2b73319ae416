#include "core/ids.h"
#include "lang/text_file.h"
#include "tests/packed_file.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "hide A\nin a\n";

static void plain_and_packed_files_are_read_whole(void)
{
    packed_file f = packed_file_open();
    for (packed_kind kind = PACKED_PLAIN; kind < PACKED_KINDS; kind++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        arena a = ARENA_INIT(&m, 1 << 12);
        text_file t;
        packed_file_pack(&f, kind, text, strlen(text));
        CU_ASSERT_EQUAL_FATAL(text_file_read(&t, &a, f.path, 100, "a text", &e), 0);
        CU_ASSERT_STRING_EQUAL(t.text, text);
        CU_ASSERT_STRING_EQUAL(t.name, f.path);
        CU_ASSERT_EQUAL(t.bytes, strlen(text));
        CU_ASSERT_EQUAL(t.text[t.bytes + 1], '\0');
        CU_ASSERT(t.inode != 0);
        arena_release(&a);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
}

static void mistakes_name_the_file(void)
{
    size_t bytes;
    char long_text[200], *packed = packed_bytes(PACKED_GZ, text, strlen(text), &bytes);
    memset(long_text, 'x', sizeof long_text);
    const struct {
        const char *data;
        size_t bytes;
        int code;
        const char *words;
    } rows[] = { { text, strlen(text), 0, "" },
                 { long_text, 100, 0, "" },
                 { long_text, 101, ERR_INPUT, ":1:1: more than 0 MiB; expected a text" },
                 { packed, bytes - 8, ERR_INPUT, ":3:1: the gzip data end early" } };
    packed_file f = packed_file_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        arena a = ARENA_INIT(&m, 1 << 12);
        text_file t;
        packed_file_set(&f, rows[i].data, rows[i].bytes);
        CU_ASSERT_EQUAL(text_file_read(&t, &a, f.path, 100, "a text", &e), rows[i].code);
        size_t n = rows[i].code ? strlen(f.path) : 0;
        if (strncmp(e.text + n, rows[i].words, strlen(rows[i].words)) != 0)
            printf("\n  row %zu: %s", i, e.text);
        CU_ASSERT_EQUAL(strncmp(e.text, f.path, n), 0);
        CU_ASSERT_EQUAL(strncmp(e.text + n, rows[i].words, strlen(rows[i].words)), 0);
        arena_release(&a);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    free(packed);
    packed_file_close(&f);
}

static void the_nth_allocation_fails(void)
{
    packed_file f = packed_file_open();
    packed_file_pack(&f, PACKED_GZ, text, strlen(text));
    for (size_t n = 1, code = 1; code != 0; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        arena a = ARENA_INIT(&m, 16);
        text_file t;
        m.fail_at = n;
        code = (size_t)text_file_read(&t, &a, f.path, 100, "a text", &e);
        CU_ASSERT_EQUAL(code, m.calls >= n ? (size_t)ERR_LIMIT : 0);
        arena_release(&a);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
}

CU_TestInfo test_text_file[] = {
    { "plain and packed files are read whole", plain_and_packed_files_are_read_whole },
    { "mistakes name the file", mistakes_name_the_file },
    { "the n-th allocation fails", the_nth_allocation_fails },
    CU_TEST_INFO_NULL
};
