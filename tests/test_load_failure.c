/*
 * test_load_failure.c - every loader when memory fails at any moment, when it is limited, when
 * a header promises the impossible, and when a compressed file is cut off or damaged.
 */
#include "core/random.h"
#include "lang/aut.h"
#include "lang/plts.h"
#include "tests/naive_aut.h"
#include "tests/packed_file.h"
#include "tests/sample_plts.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char *const hidden[] = { "L0", "SEND !17" };

/* ---- the loaders ------------------------------------------------------------------------- */

/* Load the file, compare it with `n` where nothing was renamed, and close it. */
typedef int load_function(const char *path, const load_options *o, const naive_lts *n,
                          err *e);

static int finish(int code, lts *g, const naive_lts *n, const load_options *o)
{
    if (code == 0 && o->hidden_count == 0) CU_ASSERT_PTR_NULL(naive_difference(n, g));
    lts_close(g);
    return code;
}

static int load_aut(const char *path, const load_options *o, const naive_lts *n, err *e)
{
    lts g;
    return finish(aut_read(&g, path, o, e), &g, n, o);
}

static int load_plts_read(const char *path, const load_options *o, const naive_lts *n,
                          err *e)
{
    lts g;
    return finish(plts_read(&g, path, o, e), &g, n, o);
}

static int load_plts_map(const char *path, const load_options *o, const naive_lts *n,
                         err *e)
{
    lts g;
    return finish(plts_map(&g, path, o, e), &g, n, o);
}

static int load_plts_range(const char *path, const load_options *o, const naive_lts *n,
                           err *e)
{
    plts_range r;
    int code = plts_range_read(&r, path, 3, (state_id)n->states - 2, o, e);
    plts_range_close(&r);
    return code;
}

typedef struct loader {
    const char *name;
    load_function *load;
    naive_order order;
    packed_kind kind;
    bool plts, lenient, hiding;
    size_t labels;
} loader;

static const loader loaders[] = {
    { .name = "aut sorted", .load = load_aut, .order = NAIVE_SORTED, .labels = 9 },
    { .name = "aut unsorted", .load = load_aut, .order = NAIVE_SHUFFLED, .labels = 9 },
    { .name = "aut partly", .load = load_aut, .order = NAIVE_PARTLY, .labels = 300 },
    { .name = "aut widening", .load = load_aut, .order = NAIVE_SORTED, .labels = 300 },
    { .name = "aut hiding", .load = load_aut, .hiding = true, .labels = 9 },
    { .name = "aut lenient", .load = load_aut, .lenient = true, .labels = 9 },
    { .name = "aut.gz", .load = load_aut, .kind = PACKED_GZ, .labels = 9 },
    { .name = "aut.zst", .load = load_aut, .kind = PACKED_ZST, .labels = 9 },
    { .name = "aut.bz2", .load = load_aut, .kind = PACKED_BZ2, .labels = 9 },
    { .name = "plts read", .load = load_plts_read, .plts = true, .labels = 300 },
    { .name = "plts map", .load = load_plts_map, .plts = true, .labels = 9 },
    { .name = "plts hiding",
      .load = load_plts_map,
      .plts = true,
      .hiding = true,
      .labels = 257 },
    { .name = "plts range", .load = load_plts_range, .plts = true, .labels = 300 },
    { .name = "plts range hiding",
      .load = load_plts_range,
      .plts = true,
      .hiding = true,
      .labels = 257 },
};

/* A file for the loader, and the LTS in it. */
typedef struct given {
    scratch dir;
    packed_file file;
    const char *path;
    naive_lts n;
} given;

static void give(given *g, const loader *l, size_t count)
{
    size_t bytes;
    mem m = MEM_INIT;
    err e = ERR_INIT;
    g->dir = scratch_open();
    g->file = packed_file_open();
    g->n = naive_random(60, count, l->labels, l->order, 4);
    g->path = l->plts ? scratch_path(&g->dir, "x.plts") : g->file.path;
    if (l->plts) {
        lts rows = naive_rows(&g->n, &m);
        CU_ASSERT_EQUAL_FATAL(sample_plts_write(&rows, g->path, &e), 0);
        lts_close(&rows);
        return;
    }
    char *text = naive_aut_write(&g->n, NULL, &bytes);
    packed_file_pack(&g->file, l->kind, text, bytes);
    free(text);
}

static void take_back(given *g)
{
    naive_close(&g->n);
    packed_file_close(&g->file);
    scratch_close(&g->dir);
}

static int run(const loader *l, const given *g, int threads, mem *m, err *e)
{
    const log_sink silent = { .level = LOG_QUIET };
    load_options o = { .m = m,
                       .threads = threads,
                       .block_bytes = 200,
                       .lenient = l->lenient,
                       .hidden = hidden,
                       .hidden_count = l->hiding ? COUNT_OF(hidden) : 0,
                       .log = &silent };
    return l->load(g->path, &o, &g->n, e);
}

/* ---- memory ------------------------------------------------------------------------------- */

/* An allocation may be a wish that can be done without (the rows of a header's promise);
   whatever is not refused must then be right.  The loop ends when nothing was left to fail. */
static void fail_at_each(const loader *l, const given *g, int threads)
{
    size_t refused = 0;
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = n;
        int code = run(l, g, threads, &m, &e);
        CU_ASSERT(code == 0 || code == ERR_LIMIT);
        CU_ASSERT_EQUAL(m.now, 0);
        refused += code == ERR_LIMIT;
        if (m.calls >= n && n < 5000) continue;
        CU_ASSERT_EQUAL(code, 0);
        CU_ASSERT(refused + 4 >= n - 1); /* of the wishes there are three */
        if (refused + 4 < n - 1) printf("\n  %s: %zu of %zu", l->name, refused, n - 1);
        return;
    }
}

static void the_nth_allocation_fails(void)
{
    for (size_t i = 0; i < COUNT_OF(loaders); i++) {
        given g;
        give(&g, &loaders[i], 320);
        for (int threads = 1; threads <= 2; threads++)
            fail_at_each(&loaders[i], &g, threads);
        take_back(&g);
    }
}

static void a_memory_limit_is_kept_or_the_loader_says_so(void)
{
    for (size_t i = 0; i < COUNT_OF(loaders); i++) {
        given g;
        give(&g, &loaders[i], 3000);
        bool loaded = false, refused = false;
        for (size_t limit = 1000; !loaded && limit < 1 << 28; limit += limit / 3) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            m.limit = limit;
            int code = run(&loaders[i], &g, 2, &m, &e);
            CU_ASSERT(code == 0 || code == ERR_LIMIT);
            CU_ASSERT(m.peak <= limit);
            CU_ASSERT_EQUAL(m.now, 0);
            loaded = code == 0;
            refused |= code == ERR_LIMIT;
        }
        CU_ASSERT(loaded && refused);
        take_back(&g);
    }
}

static void a_header_that_promises_too_much_costs_nothing(void)
{
    static const struct {
        const char *text;
        bool lenient;
        int code;
    } rows[] = {
        { "des (0,1,4294967294)\n(0,a,1)\n", false, ERR_LIMIT },
        { "des (0,1,4294967294)\n(0,a,1)\n", true, ERR_LIMIT },
        { "des (0,1000000000000000000,2)\n(0,a,1)\n", false, ERR_INPUT },
        { "des (0,18446744073709551615,2)\n(0,a,1)\n", false, ERR_INPUT },
        { "des (0,4611686018427387904,2)\n(0,a,1)\n", false, ERR_INPUT },
        { "des (0,1000000000000000000,2)\n(0,a,1)\n", true, 0 },
        { "des (0,1,2)\n(0,a,4294967293)\n", true, ERR_LIMIT },
        { "des (4294967293,?,?)\n(0,a,1)\n", true, ERR_LIMIT },
        { "des (0,10000000000,100000)\n(0,a,1)\n", false, ERR_INPUT },
    };
    packed_file f = packed_file_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int threads = 1; threads <= 2; threads++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            lts g;
            const log_sink silent = { .level = LOG_QUIET };
            load_options o = {
                .m = &m, .threads = threads, .lenient = rows[i].lenient, .log = &silent
            };
            m.limit = 64 << 20;
            packed_file_set(&f, rows[i].text, strlen(rows[i].text));
            CU_ASSERT_EQUAL(aut_read(&g, f.path, &o, &e), rows[i].code);
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
        }
    packed_file_close(&f);
}

/* ---- damage ------------------------------------------------------------------------------- */

static int read_silently(lts *g, mem *m, const char *path, int threads, err *e)
{
    const log_sink silent = { .level = LOG_QUIET };
    load_options o = { .m = m, .threads = threads, .block_bytes = 1000, .log = &silent };
    return aut_read(g, path, &o, e);
}

/* How many bytes of text the first `bytes` of a gzip file hold: zlib's own answer. */
static size_t gz_text_bytes(const char *form, size_t bytes, char *into, size_t room)
{
    z_stream z = { 0 };
    CU_ASSERT_EQUAL_FATAL(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_in = (Bytef *)(size_t)form;
    z.avail_in = (unsigned)bytes;
    z.next_out = (Bytef *)into;
    z.avail_out = (unsigned)room;
    inflate(&z, Z_NO_FLUSH);
    inflateEnd(&z);
    return room - z.avail_out;
}

/* The message names the place where the text breaks off. */
static void check_place(const err *e, const packed_file *f, const char *text,
                        size_t bytes)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '\n') line++, column = 1;
        else column++;
    char expected[128];
    snprintf(expected, sizeof expected, "%s:%zu:%zu: the gzip data end early", f->path,
             line, column);
    if (strncmp(e->text, expected, strlen(expected)) != 0)
        printf("\n  expected %s\n  found    %s\n", expected, e->text);
    CU_ASSERT_EQUAL(strncmp(e->text, expected, strlen(expected)), 0);
}

static void a_cut_off_file_is_refused_with_its_place(void)
{
    size_t bytes, packed;
    naive_lts n = naive_random(500, 3000, 20, NAIVE_SORTED, 1);
    char *text = naive_aut_write(&n, NULL, &bytes), *again = malloc(bytes);
    packed_file f = packed_file_open();
    for (packed_kind kind = PACKED_GZ; kind < PACKED_KINDS; kind++) {
        char *form = packed_bytes(kind, text, bytes, &packed);
        for (size_t cut = 4; cut < packed; cut += cut < packed - 20 ? 1 + cut / 30 : 1)
            for (int threads = 1; threads <= 3; threads += 2) {
                mem m = MEM_INIT;
                err e = ERR_INIT;
                lts g;
                packed_file_set(&f, form, cut);
                CU_ASSERT_EQUAL(read_silently(&g, &m, f.path, threads, &e), ERR_INPUT);
                CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "data end early"));
                CU_ASSERT_EQUAL(m.now, 0);
                if (kind == PACKED_GZ)
                    check_place(&e, &f, text, gz_text_bytes(form, cut, again, bytes));
            }
        free(form);
    }
    packed_file_close(&f);
    free(text);
    free(again);
    naive_close(&n);
}

static void a_damaged_file_is_refused_with_a_place(void)
{
    size_t bytes, packed, refused = 0;
    naive_lts n = naive_random(500, 3000, 20, NAIVE_SORTED, 2);
    char *text = naive_aut_write(&n, NULL, &bytes);
    packed_file f = packed_file_open();
    random_stream r = random_open(1, 0);
    for (packed_kind kind = PACKED_GZ; kind < PACKED_KINDS; kind++) {
        char *form = packed_bytes(kind, text, bytes, &packed);
        for (int i = 0; i < 150; i++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            lts g;
            unsigned bit = 1u << random_below(&r, 8);
            size_t at = 4 + (size_t)random_below(&r, packed - 4);
            form[at] = (char)((unsigned char)form[at] ^ bit);
            packed_file_set(&f, form, packed);
            int code = read_silently(&g, &m, f.path, 1 + i % 2, &e);
            if (code == 0) /* a bit that says nothing, as the date of a gzip file */
                CU_ASSERT_PTR_NULL(naive_difference(&n, &g));
            size_t length = strlen(f.path);
            if (code != 0) {
                CU_ASSERT_EQUAL(code, ERR_INPUT);
                CU_ASSERT_EQUAL(strncmp(e.text, f.path, length), 0);
                CU_ASSERT(e.text[length] == ':' &&
                          strtoul(e.text + length + 1, NULL, 10));
            }
            refused += code != 0;
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
            form[at] = (char)((unsigned char)form[at] ^ bit);
        }
        free(form);
    }
    CU_ASSERT(refused > 400);
    packed_file_close(&f);
    free(text);
    naive_close(&n);
}

CU_TestInfo test_load_failure[] = {
    { "the n-th allocation fails", the_nth_allocation_fails },
    { "a memory limit is kept, or the loader says so",
      a_memory_limit_is_kept_or_the_loader_says_so },
    { "a header that promises too much costs nothing",
      a_header_that_promises_too_much_costs_nothing },
    { "a cut off file is refused with its place",
      a_cut_off_file_is_refused_with_its_place },
    { "a damaged file is refused with a place", a_damaged_file_is_refused_with_a_place },
    CU_TEST_INFO_NULL
};
