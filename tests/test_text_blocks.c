#include "lang/text_blocks.h"

#include "core/ids.h"
#include "core/random.h"
#include "core/vec.h"
#include "tests/packed_file.h"

#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t block_sizes[] = { 1, 2, 7, 16, 100, 5000, 1 << 20 };

/* What came out: the blocks' texts by number. */
typedef struct pile {
    text_blocks *blocks;
    mem *m;
    pthread_mutex_t lock; /* guards the rest */
    VEC(char *) text;     /* owned; "" for none; NUL-terminated */
    bool disorder;        /* a block without its last newline, or a number twice */
    uint64_t bytes;
    bool broken;
    uint64_t broken_number;
    size_t rest;
    err why, failed;
} pile;

static void keep(pile *p, const text_block *t)
{
    err e = ERR_INIT;
    char *copy = malloc(t->bytes + 1);
    memcpy(copy, t->text, t->bytes);
    copy[t->bytes] = '\0';
    volatile char sum = 0; /* the pads are readable: the sanitizer would object */
    for (int i = 1; i <= TEXT_BLOCKS_PAD; i++)
        sum = (char)(sum + t->text[-i] + t->text[t->bytes + (size_t)i - 1]);
    pthread_mutex_lock(&p->lock);
    if (t->bytes > 0 && copy[t->bytes - 1] != '\n') p->disorder = true;
    while (p->text.count <= t->number) vec_push(p->m, &p->text, NULL, &e);
    if (p->text.at[t->number] != NULL) p->disorder = true;
    p->text.at[t->number] = copy;
    p->bytes += t->bytes;
    if (t->broken) {
        p->broken = true;
        p->broken_number = t->number;
        p->rest = t->rest;
        p->why = t->why;
    }
    pthread_mutex_unlock(&p->lock);
}

static void *collect(void *context)
{
    pile *p = context;
    text_block t = { 0 };
    err e = ERR_INIT;
    while (text_blocks_next(p->blocks, &t, &e)) keep(p, &t);
    pthread_mutex_lock(&p->lock);
    if (e.code != ERR_NONE) p->failed = e;
    pthread_mutex_unlock(&p->lock);
    text_block_release(&t, p->m);
    return NULL;
}

static void pile_up(pile *p, mem *m, const char *path, size_t block_bytes, int threads)
{
    source *s = NULL;
    err e = ERR_INIT;
    pthread_t thread[8];
    *p = (pile){ .m = m, .why = ERR_INIT, .failed = ERR_INIT };
    pthread_mutex_init(&p->lock, NULL);
    CU_ASSERT_EQUAL_FATAL(source_open(&s, m, path, &e), 0);
    CU_ASSERT_EQUAL_FATAL(text_blocks_open(&p->blocks, s, m, block_bytes, &e), 0);
    for (int i = 1; i < threads; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, collect, p), 0);
    collect(p);
    for (int i = 1; i < threads; i++) pthread_join(thread[i], NULL);
    CU_ASSERT_EQUAL(text_blocks_done(p->blocks), p->bytes);
    text_blocks_close(p->blocks);
    source_close(s);
}

/* Are the blocks, in their order, exactly the text and a newline if it lacks one? */
static bool holds(const pile *p, const char *text, size_t bytes)
{
    if (p->disorder) return false;
    size_t at = 0;
    for (size_t i = 0; i < p->text.count; i++) {
        if (p->text.at[i] == NULL) return false;
        for (const char *c = p->text.at[i]; *c; c++, at++)
            if (*c != (at < bytes ? text[at] : '\n')) return false;
    }
    return at == bytes + (bytes > 0 && text[bytes - 1] != '\n');
}

static void pile_close(pile *p)
{
    for (size_t i = 0; i < p->text.count; i++) free(p->text.at[i]);
    vec_release(p->m, &p->text);
    pthread_mutex_destroy(&p->lock);
    CU_ASSERT_EQUAL(p->m->now, 0);
}

static void check_text(const char *text, size_t bytes)
{
    packed_file f = packed_file_open();
    for (packed_kind kind = 0; kind < PACKED_KINDS; kind++) {
        packed_file_pack(&f, kind, text, bytes);
        for (size_t i = 0; i < COUNT_OF(block_sizes); i++)
            for (int threads = 1; threads <= 3; threads += 2) {
                mem m = MEM_INIT;
                pile p;
                pile_up(&p, &m, f.path, block_sizes[i], threads);
                CU_ASSERT_EQUAL(p.failed.code, ERR_NONE);
                CU_ASSERT_FALSE(p.broken);
                CU_ASSERT(holds(&p, text, bytes));
                pile_close(&p);
            }
    }
    packed_file_close(&f);
}

static void blocks_in_order_are_the_text(void)
{
    static const char *const texts[] = {
        "",
        "\n",
        "\n\n\n",
        "a",
        "a\n",
        "a\nb",
        "\na",
        "ab\n\ncd\n",
        "0123456\n0123456\n",
        "012345\n7890123\n\n",
        "\r\n\r\n",
        "0123456789012345\n0123456789012345",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) check_text(texts[i], strlen(texts[i]));
}

static void random_texts_with_short_and_long_lines(void)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        random_stream r = random_open(seed, 0);
        enum { BYTES = 20000 };
        static char text[BYTES];
        size_t bytes = (size_t)random_below(&r, BYTES);
        uint64_t line = 1 + random_below(&r, seed % 3 == 0 ? 9000 : 60);
        for (size_t i = 0; i < bytes; i++)
            text[i] =
                random_below(&r, line) == 0 ? '\n' : (char)('!' + random_below(&r, 90));
        check_text(text, bytes);
    }
}

static void a_cut_off_file_gives_its_lines_then_a_broken_block(void)
{
    char text[3000];
    size_t packed;
    packed_file f = packed_file_open();
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 10 == 9 ? '\n' : 'x';
    for (packed_kind kind = PACKED_GZ; kind < PACKED_KINDS; kind++) {
        char *form = packed_bytes(kind, text, sizeof text, &packed);
        packed_file_set(&f, form, packed - 3);
        for (size_t i = 0; i < COUNT_OF(block_sizes); i++) {
            mem m = MEM_INIT;
            pile p;
            pile_up(&p, &m, f.path, block_sizes[i], 2);
            CU_ASSERT_EQUAL(p.failed.code, ERR_NONE);
            CU_ASSERT(p.broken);
            CU_ASSERT_EQUAL(p.why.code, ERR_INPUT);
            CU_ASSERT_PTR_NOT_NULL(strstr(p.why.text, "truncated"));
            CU_ASSERT_EQUAL(p.broken_number, p.text.count - 1); /* none behind it */
            CU_ASSERT(p.bytes + p.rest <= sizeof text);
            CU_ASSERT_EQUAL(p.bytes % 10, 0);
            CU_ASSERT(holds(&p, text, (size_t)p.bytes));
            pile_close(&p);
        }
        free(form);
    }
    packed_file_close(&f);
}

/* What the reader counts on: the block that failed is named, so that it has its turn. */
static void a_block_that_cannot_be_had_is_named(void)
{
    packed_file f = packed_file_open();
    char text[5000];
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 50 == 49 ? '\n' : 'x';
    for (packed_kind kind = 0; kind < PACKED_KINDS; kind++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        source *s = NULL;
        text_blocks *b = NULL;
        text_block one = { 0 }, two = { 0 };
        packed_file_pack(&f, kind, text, sizeof text);
        CU_ASSERT_EQUAL(source_open(&s, &m, f.path, &e), 0);
        CU_ASSERT_EQUAL(text_blocks_open(&b, s, &m, 1000, &e), 0);
        CU_ASSERT(text_blocks_next(b, &one, &e));
        m.fail_at = m.calls + 1;
        two.number = 99;
        CU_ASSERT_FALSE(text_blocks_next(b, &two, &e));
        CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
        CU_ASSERT_EQUAL(two.number, 1);
        text_block_release(&one, &m);
        text_block_release(&two, &m);
        text_blocks_close(b);
        source_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
}

static void the_total_is_known_for_plain_files_alone(void)
{
    packed_file f = packed_file_open();
    for (packed_kind kind = 0; kind < PACKED_KINDS; kind++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        source *s = NULL;
        text_blocks *b = NULL;
        packed_file_pack(&f, kind, "one\ntwo\n", 8);
        CU_ASSERT_EQUAL(source_open(&s, &m, f.path, &e), 0);
        CU_ASSERT_EQUAL(text_blocks_open(&b, s, &m, 1000, &e), 0);
        CU_ASSERT_EQUAL(text_blocks_total(b), kind == PACKED_PLAIN ? 8 : 0);
        CU_ASSERT_EQUAL(text_blocks_done(b), 0);
        text_blocks_close(b);
        source_close(s);
    }
    packed_file_close(&f);
}

/* The lines of one range, appended. */
static void append_range(char *into, size_t *at, const char *path, uint64_t begin,
                         uint64_t end, size_t block_bytes)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    source *src;
    text_blocks *b;
    text_block t = { 0 };
    CU_ASSERT_EQUAL_FATAL(source_open(&src, &m, path, &e), 0);
    CU_ASSERT_EQUAL_FATAL(text_blocks_open(&b, src, &m, block_bytes, &e), 0);
    text_blocks_restrict(b, begin, end);
    while (text_blocks_next(b, &t, &e)) {
        memcpy(into + *at, t.text, t.bytes);
        *at += t.bytes;
    }
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
    text_block_release(&t, &m);
    text_blocks_close(b);
    source_close(src);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void ranges_that_join_are_the_text(void)
{
    static const char text[] = "ab\n\ncdefgh\ni\n\n\njklmnopqrs\nt\n";
    size_t bytes = sizeof text - 1;
    char got[2 * sizeof text];
    packed_file f = packed_file_open();
    packed_file_set(&f, text, bytes);
    for (uint64_t parts = 1; parts <= bytes + 2; parts++)
        for (size_t block_bytes = 1; block_bytes < 12; block_bytes += 5) {
            size_t at = 0;
            for (uint64_t k = 0; k < parts; k++)
                append_range(got, &at, f.path, bytes * k / parts, bytes * (k + 1) / parts,
                             block_bytes);
            CU_ASSERT_EQUAL(at, bytes);
            CU_ASSERT_EQUAL(memcmp(got, text, bytes), 0);
        }
    size_t at = 0;
    append_range(got, &at, f.path, 3, bytes + 100, 7); /* an end behind the file's */
    CU_ASSERT_EQUAL(at, bytes - 3);
    packed_file_close(&f);
}

CU_TestInfo test_text_blocks[] = {
    { "blocks in order are the text", blocks_in_order_are_the_text },
    { "random texts with short and long lines", random_texts_with_short_and_long_lines },
    { "a cut off file gives its lines, then a broken block",
      a_cut_off_file_gives_its_lines_then_a_broken_block },
    { "a block that cannot be had is named", a_block_that_cannot_be_had_is_named },
    { "the total is known for plain files alone",
      the_total_is_known_for_plain_files_alone },
    { "ranges that join are the text", ranges_that_join_are_the_text },
    CU_TEST_INFO_NULL
};
