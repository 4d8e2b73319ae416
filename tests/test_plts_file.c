#include "core/hash.h"
#include "core/ids.h"
#include "core/random.h"
#include "lang/plts.h"
#include "tests/sample_plts.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int loader(lts *out, const char *path, const load_options *o, err *e);
static loader *const loaders[] = { plts_map, plts_read };

/* Wrong content under right checksums: section (or the header), place, bytes, sentence. */
static const struct {
    int section; /* -1 = header */
    size_t at;
    uint64_t value;
    size_t bytes;
    const char *says;
} lies[] = {
    { -1, 8, 2, 4, "version 2" },
    { -1, 8, 0xffffffff, 4, "version 4294967295" },
    { -1, 8, 0, 4, "impossible" },
    { -1, 12, 255, 4, "impossible" },
    { -1, 16, 0, 8, "impossible" }, /* states */
    { -1, 16, UINT64_MAX, 8, "impossible" },
    { -1, 16, 5, 8, "section table" },
    { -1, 16, 0xfffffffe, 8, "section table" },
    { -1, 24, 4, 8, "impossible" },          /* initial */
    { -1, 32, UINT64_MAX, 8, "impossible" }, /* transitions */
    { -1, 32, 1ull << 55, 8, "section table" },
    { -1, 32, 4, 8, "section table" },
    { -1, 40, UINT64_MAX, 8, "impossible" }, /* labels */
    { -1, 40, 1u << 20, 8, "impossible" },
    { -1, 48, 2, 4, "impossible" }, /* width */
    { -1, 48, 0, 4, "impossible" },
    { -1, 52, 1, 4, "impossible" },                       /* flags */
    { -1, 56, 1, 8, "impossible" },                       /* piece */
    { -1, 64, 0, 8, "section table" },                    /* offset of FIRST */
    { -1, 64 + 24 * 3 + 8, UINT64_MAX, 8, "impossible" }, /* bytes of NAMES */
    { -1, 64 + 24 * 3 + 8, 1ull << 40, 8, "section table" },
    { -1, 184, 1, 8, "section table" }, /* bytes of the file */
    { PLTS_FIRST, 0, 1, 8, "FIRST" },
    { PLTS_FIRST, 8, 4, 8, "FIRST" },
    { PLTS_FIRST, 16, 0, 8, "FIRST" },
    { PLTS_FIRST, 16, UINT64_MAX, 8, "FIRST" },
    { PLTS_FIRST, 32, 6, 8, "FIRST" },
    { PLTS_FIRST, 32, UINT64_MAX, 8, "FIRST" },
    { PLTS_TARGET, 0, 4, 4, "TARGET" },
    { PLTS_TARGET, 16, UINT32_MAX, 4, "TARGET" },
    { PLTS_LABEL, 4, 3, 1, "LABEL" },
    { PLTS_LABEL, 0, 255, 1, "LABEL" },
    { PLTS_NAMES, 0, 100, 8, "NAMES" },
    { PLTS_NAMES, 0, UINT64_MAX, 8, "NAMES" },
    { PLTS_NAMES, 8, 0, 8, "NAMES" },
    { PLTS_NAMES, 16, 3, 8, "NAMES" },
    { PLTS_NAMES, 24, 'b' + ('b' << 8), 2, "NAMES" }, /* a label twice */
};

/* The first bytes are a promise to readers of other years: checked one by one. */
static void the_header_is_as_documented(void)
{
    static const uint8_t want[64] = { 0x89, 'P', 'L', 'T', 'S', '\r', '\n', 0x1a, 1, 0, 0,
                                      0,    0,   1,   0,   0,   3,    0,    0,    0, 0, 0,
                                      0,    0,   2,   0,   0,   0,    0,    0,    0, 0, 2,
                                      0,    0,   0,   0,   0,   0,    0,    2,    0, 0, 0,
                                      0,    0,   0,   0,   1,   0,    0,    0,    0, 0, 0,
                                      0,    0,   0,   16,  0,   0,    0,    0,    0 };
    static const sample_edge edges[] = { { 0, "a", 2 }, { 2, "bc", 1 } };
    scratch s = scratch_open();
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 3, 2, edges, 2);
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    CU_ASSERT_EQUAL(bytes, 5 * PLTS_PAGE + 4 * 8);
    CU_ASSERT_EQUAL(memcmp(data, want, sizeof want), 0);
    CU_ASSERT_EQUAL(memcmp(data + 3 * PLTS_PAGE, "\0\1", 2), 0); /* LABEL */
    CU_ASSERT_EQUAL(
        memcmp(data + 4 * PLTS_PAGE, "\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0abc", 19),
        0); /* NAMES */
    CU_ASSERT_EQUAL(hash_file(data, 248), *(uint64_t *)(void *)(data + 248));
    free(data);
    lts_close(&g);
    scratch_close(&s);
}

static bool is_padding(const plts_layout *l, size_t at)
{
    if (at < PLTS_HEADER_BYTES) return false;
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++)
        if (at >= l->section[i].offset && at - l->section[i].offset < l->section[i].bytes)
            return false;
    return true;
}

static void a_changed_byte_is_noticed_wherever_it_is(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 20, 60, 5, 3);
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    err e = ERR_INIT;
    scratch_write(path, data, bytes);
    int fd = open(path, O_RDWR);
    for (size_t i = 0; i < bytes; i++) {
        if (is_padding(&l, i) && i % 64 != 0) continue;
        uint8_t other = data[i] ^ (uint8_t)(1u << i % 8);
        e = ERR_INIT;
        CU_ASSERT_EQUAL(pwrite(fd, &other, 1, (off_t)i), 1);
        CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e),
                        is_padding(&l, i) ? 0 : ERR_INPUT);
        CU_ASSERT_EQUAL(pwrite(fd, &data[i], 1, (off_t)i), 1);
    }
    close(fd);
    free(data);
    lts_close(&g);
    scratch_close(&s);
}

static void a_file_of_any_other_length_is_refused(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 20, 60, 5, 3);
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    scratch_write(path, data, bytes);
    for (size_t n = bytes; n-- > 0;) {
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(truncate(path, (off_t)n), 0);
        CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, n < 8 ? "not a .plts" : "truncated"));
    }
    data = realloc(data, bytes + 1);
    data[bytes] = 0;
    err e = ERR_INIT;
    scratch_write(path, data, bytes + 1);
    CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "follow"));
    free(data);
    lts_close(&g);
    scratch_close(&s);
}

static void content_is_checked_though_the_checksums_are_right(void)
{
    static const sample_edge edges[] = {
        { 0, "a", 1 }, { 0, "b", 2 }, { 1, "cc", 3 }, { 2, "a", 0 }, { 2, "b", 1 }
    };
    scratch s = scratch_open();
    mem m = MEM_INIT;
    lts g = sample_lts(&m, 4, 3, edges, COUNT_OF(edges));
    size_t bytes;
    plts_layout l;
    uint8_t *right = sample_plts_bytes(&s, &g, &bytes, &l), *data = malloc(bytes);
    err e = ERR_INIT;
    for (size_t i = 0; i < COUNT_OF(lies); i++) {
        const char *path = scratch_path(&s, "x.plts");
        uint64_t at =
            lies[i].at + (lies[i].section < 0 ? 0 : l.section[lies[i].section].offset);
        memcpy(data, right, bytes);
        memcpy(data + at, &lies[i].value, lies[i].bytes);
        sample_plts_sign(data, &l);
        scratch_write(path, data, bytes);
        e = ERR_INIT;
        CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, path));
        if (strstr(e.text, lies[i].says)) continue;
        printf("lie %zu: %s ", i, e.text);
        CU_FAIL("the message does not say what is wrong");
    }
    free(data);
    free(right);
    lts_close(&g);
    scratch_close(&s);
}

/* Only the header is signed again: a section's checksum in its table is wrong. */
static void the_table_of_checksums_is_checked(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 20, 60, 5, 3);
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++) {
        plts_layout wrong = l;
        err e = ERR_INIT;
        wrong.section[i].sum++;
        plts_layout_encode(&wrong, data);
        scratch_write(path, data, bytes);
        CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, plts_section_name(i)));
    }
    free(data);
    lts_close(&g);
    scratch_close(&s);
}

/* Rows that descend exactly where a block or a piece ends: neither alone shows it. */
static void rows_must_join_everywhere(void)
{
    static const size_t ends[] = { 4095, 4096, PLTS_PIECE / 8 - 1, PLTS_PIECE / 8 };
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 200000, 300000, 3, 1);
    load_options o = { .m = &m };
    size_t bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    uint64_t *first = (uint64_t *)(void *)(data + l.section[PLTS_FIRST].offset);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        err e = ERR_INIT;
        uint64_t right = first[ends[i]];
        first[ends[i]] = 300000;
        sample_plts_sign(data, &l);
        scratch_write(path, data, bytes);
        first[ends[i]] = right;
        CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "FIRST"));
        plts_range r;
        e = ERR_INIT;
        state_id lo = (state_id)ends[i] - 50;
        CU_ASSERT_EQUAL(plts_range_read(&r, path, lo, lo + 100, &o, &e), ERR_INPUT);
    }
    free(data);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void labels_of_every_width_are_checked(void)
{
    static const label_id counts[] = { 255, 300, 65535, 65537 };
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        mem m = MEM_INIT;
        lts g = sample_lts_random(&m, 10, 20000, counts[i], 1);
        size_t bytes;
        plts_layout l;
        uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
        for (uint64_t t = 0; t < 20000; t += 1999) {
            err e = ERR_INIT;
            uint8_t *at = data + l.section[PLTS_LABEL].offset + t * g.label_bytes;
            memcpy(at, &counts[i], g.label_bytes);
            sample_plts_sign(data, &l);
            scratch_write(path, data, bytes);
            label_id right = lts_label(&g, t);
            memcpy(at, &right, g.label_bytes);
            CU_ASSERT_EQUAL(sample_plts_load(path, &g, &e), ERR_INPUT);
            CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "LABEL"));
        }
        free(data);
        lts_close(&g);
    }
    scratch_close(&s);
}

/* Random damage with right checksums: refused or an LTS, never anything worse. */
static void random_lies_do_no_harm(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 20, 60, 5, 3);
    size_t bytes;
    plts_layout l;
    uint8_t *right = sample_plts_bytes(&s, &g, &bytes, &l), *data = malloc(bytes);
    err e = ERR_INIT;
    random_stream r = random_open(5, 0);
    for (int i = 0; i < 3000; i++) {
        memcpy(data, right, bytes);
        for (uint64_t k = random_below(&r, 3) + 1; k > 0; k--) {
            const plts_section *where = &l.section[random_below(&r, PLTS_SUMS)];
            data[where->offset + random_below(&r, where->bytes)] =
                (uint8_t)random_below(&r, 256);
        }
        sample_plts_sign(data, &l);
        scratch_write(path, data, bytes);
        load_options o = { .m = &m, .threads = 1 };
        lts back;
        e = ERR_INIT;
        size_t before = m.now;
        loaders[i % 2](&back, path, &o, &e);
        CU_ASSERT(e.code == ERR_NONE || e.code == ERR_INPUT);
        for (uint64_t t = 0; e.code == ERR_NONE && t < back.transitions; t++)
            CU_ASSERT(back.target[t] < back.states &&
                      lts_label(&back, t) < label_table_count(back.labels));
        lts_close(&back);
        CU_ASSERT_EQUAL(m.now, before);
    }
    free(data);
    free(right);
    lts_close(&g);
    scratch_close(&s);
}

CU_TestInfo test_plts_file[] = {
    { "the header is as documented", the_header_is_as_documented },
    { "a changed byte is noticed wherever it is",
      a_changed_byte_is_noticed_wherever_it_is },
    { "a file of any other length is refused", a_file_of_any_other_length_is_refused },
    { "content is checked though the checksums are right",
      content_is_checked_though_the_checksums_are_right },
    { "the table of checksums is checked", the_table_of_checksums_is_checked },
    { "rows must join everywhere", rows_must_join_everywhere },
    { "labels of every width are checked", labels_of_every_width_are_checked },
    { "random lies do no harm", random_lies_do_no_harm },
    CU_TEST_INFO_NULL
};
