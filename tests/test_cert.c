#include "core/hash.h"
#include "core/ids.h"
#include "lang/cert.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { PIECES = 3 };

/* Contents of files, then arguments; their bytes are much alike. */
static const struct {
    const char *file[PIECES];
    size_t bytes[PIECES];
    const char *argument[PIECES];
} origins[] = {
    { { "ab" }, { 2 }, { NULL } },
    { { "a", "b" }, { 1, 1 }, { NULL } },
    { { "a\0b" }, { 3 }, { NULL } },
    { { "a", "b\0c" }, { 1, 3 }, { NULL } },
    { { "a\0b", "c" }, { 3, 1 }, { NULL } },
    { { "a", "b", "c" }, { 1, 1, 1 }, { NULL } },
    { { "a" }, { 1 }, { "b" } },
    { { "a" }, { 1 }, { "b", "c" } },
    { { "a\0b" }, { 3 }, { "c" } },
    { { "a", "b" }, { 1, 1 }, { "c" } },
    { { "a", "" }, { 1, 0 }, { NULL } },
    { { "", "a" }, { 0, 1 }, { NULL } },
    { { "a" }, { 1 }, { NULL } },
    { { "a\1\0\0\0\0\0\0\0b\1\0\0\0\0\0\0\0" }, { 18 }, { NULL } },
};

static uint64_t hash_of(scratch *s, size_t row)
{
    const char *path[PIECES];
    cert_origin o = { .files = path, .arguments = origins[row].argument };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    uint64_t hash = 0;
    for (; o.file_count < PIECES && origins[row].file[o.file_count]; o.file_count++) {
        char name[32];
        snprintf(name, sizeof name, "%zu-%zu", row, o.file_count);
        path[o.file_count] = scratch_path(s, name);
        scratch_write(path[o.file_count], origins[row].file[o.file_count],
                      origins[row].bytes[o.file_count]);
    }
    while (o.argument_count < PIECES && o.arguments[o.argument_count]) o.argument_count++;
    CU_ASSERT_EQUAL_FATAL(cert_hash(&hash, &m, &o, &e), 0);
    CU_ASSERT_EQUAL(m.now, 0);
    return hash;
}

static void other_pieces_have_another_hash(void)
{
    uint64_t hash[COUNT_OF(origins)];
    scratch s = scratch_open();
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        hash[i] = hash_of(&s, i);
        for (size_t k = 0; k < i; k++) {
            if (hash[i] == hash[k]) printf("\n  origins %zu and %zu", k, i);
            CU_ASSERT_NOT_EQUAL(hash[i], hash[k]);
        }
    }
    CU_ASSERT_EQUAL(hash[0], XXH64("ab", 2, 0)); /* a file alone: as other tools say */
    scratch_close(&s);
}

static void what_cannot_be_read_has_none(void)
{
    static const char *const files[] = { "/no such file" };
    cert_origin o = { .files = files, .file_count = 1 };
    for (size_t fail_at = 0; fail_at < 2; fail_at++) {
        mem m = { .fail_at = fail_at };
        err e = ERR_INIT;
        uint64_t hash;
        CU_ASSERT_EQUAL(cert_hash(&hash, &m, &o, &e), fail_at ? ERR_LIMIT : ERR_INPUT);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_cert[] = {
    { "other pieces have another hash", other_pieces_have_another_hash },
    { "what cannot be read has none", what_cannot_be_read_has_none },
    CU_TEST_INFO_NULL
};
