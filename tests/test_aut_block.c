#include "lang/aut.h"

#include "tests/aut_ways.h"

#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const naive_rules strict = { 0 };
static const int thread_counts[] = { 1, 2, 3, 8 };

/* Read the text in one way and compare; complains with the way and the seed. */
static void check_way(const naive_lts *n, const char *text, size_t bytes, aut_way w,
                      uint64_t seed)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g;
    packed_file f = packed_file_open();
    packed_file_pack(&f, w.kind, text, bytes);
    aut_way_read(&g, &m, f.path, &w, &strict, &e);
    const char *what = e.code != ERR_NONE ? e.text : naive_difference(n, &g);
    lts_close(&g);
    if (what == NULL && m.now != 0) what = "memory is lost";
    if (what)
        printf("\n  seed %llu, kind %d, %d threads, blocks of %zu: %s\n",
               (unsigned long long)seed, (int)w.kind, w.threads, w.block_bytes, what);
    CU_ASSERT_PTR_NULL(what);
    packed_file_close(&f);
}

static void random_files_in_tiny_blocks_are_what_was_written(void)
{
    for (uint64_t seed = 0; seed < 250; seed++) {
        random_stream r = random_open(seed, 0);
        uint64_t states = 1 + random_below(&r, seed % 40 == 0 ? 100000 : 1u << seed % 12);
        size_t count = (size_t)random_below(&r, 400), labels, bytes;
        labels = 1 + (size_t)random_below(&r, count + 1);
        naive_lts n = naive_random(states, count, labels, seed % NAIVE_ORDERS, seed);
        char *text = naive_aut_write(&n, seed % 2 ? &r : NULL, &bytes);
        aut_way w = { .kind = seed % 5 == 0 ? seed / 5 % PACKED_KINDS : PACKED_PLAIN,
                      .block_bytes = 16 + (size_t)random_below(&r, 185) };
        for (size_t i = 0; i < COUNT_OF(thread_counts); i++) {
            w.threads = thread_counts[i];
            if (w.threads < 8 || seed % 4 == 0) check_way(&n, text, bytes, w, seed);
        }
        free(text);
        naive_close(&n);
    }
}

/* The naive reader reads what the generator wrote: the oracle itself is checked. */
static void the_naive_reader_reads_what_was_written(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_stream r = random_open(seed, 5);
        mem m = MEM_INIT;
        size_t bytes;
        naive_lts n =
            naive_random(1 + seed, 2 * (size_t)seed, 9, seed % NAIVE_ORDERS, seed);
        naive_lts again;
        char *text = naive_aut_write(&n, &r, &bytes);
        CU_ASSERT_EQUAL(naive_aut_read(&again, text, bytes, &strict), 0);
        lts g = naive_rows(&again, &m);
        CU_ASSERT_PTR_NULL(naive_difference(&n, &g));
        lts_close(&g);
        naive_close(&again);
        naive_close(&n);
        free(text);
    }
}

/* As many transitions as a text can hold. */
static void the_shortest_lines_fill_their_blocks(void)
{
    naive_lts n = { .states = 1 };
    size_t label = naive_label_of(&n, "a", 1);
    char text[8200];
    size_t bytes = (size_t)sprintf(text, "des(0,1000,1)\n");
    for (int i = 0; i < 1000; i++) {
        bytes += (size_t)sprintf(text + bytes, "(0,a,0)\n");
        naive_add(&n, 0, label, 0);
    }
    for (size_t block_bytes = 8; block_bytes < 9000; block_bytes *= 2) {
        aut_way w = { .threads = 2, .block_bytes = block_bytes };
        check_way(&n, text, bytes, w, 0);
        check_way(&n, text, bytes - 1, w, 0);
    }
    naive_close(&n);
}

/* 256 and 65536 labels are where the column under construction must grow. */
static void labels_grow_wider_while_blocks_are_placed(void)
{
    static const size_t labels[] = { 256, 257, 1000, 65536, 65537, 66000 };
    for (size_t i = 0; i < COUNT_OF(labels); i++)
        for (naive_order order = 0; order < NAIVE_ORDERS; order++) {
            size_t count = labels[i] < 65536 ? 3000 : 67000, bytes;
            naive_lts n = naive_random(700, count, labels[i], order, i);
            char *text = naive_aut_write(&n, NULL, &bytes);
            for (size_t k = 0; k < COUNT_OF(thread_counts); k++) {
                aut_way w = { .threads = thread_counts[k],
                              .block_bytes = labels[i] < 65536 ? 100 : 3000 };
                check_way(&n, text, bytes, w, i);
            }
            free(text);
            naive_close(&n);
        }
}

/* ---- the first mistake ---------------------------------------------------------------- */

static char *line_start(char *text, size_t line) /* from 1 */
{
    while (--line > 0) text = strchr(text, '\n') + 1;
    return text;
}

/* Spoil a line: each mistake at a column of its own. */
static void spoil(char *line, random_stream *r)
{
    static const char *const spoilt[] = { "[", "(x", "((", "(0;" };
    const char *with = spoilt[random_below(r, COUNT_OF(spoilt))];
    memcpy(line, with, strlen(with));
}

static void the_first_mistake_is_reported_whoever_finds_one(void)
{
    for (uint64_t seed = 0; seed < 25; seed++) {
        random_stream r = random_open(seed, 0);
        enum { LINES = 200 };
        size_t bytes, first = LINES + 1;
        naive_lts n = naive_random(90, LINES, 9, seed % NAIVE_ORDERS, seed);
        char *text = naive_aut_write(&n, NULL, &bytes), expected[32];
        for (int i = 0; i < 4; i++) {
            size_t line = 2 + (size_t)random_below(&r, LINES);
            spoil(line_start(text, line), &r);
            if (line < first) first = line;
        }
        naive_lts none;
        CU_ASSERT_EQUAL(naive_aut_read(&none, text, bytes, &strict), first);
        snprintf(expected, sizeof expected, ":%zu:", first);
        CU_ASSERT(aut_ways_same(text, bytes, &strict, NULL, expected));
        free(text);
        naive_close(&n);
    }
}

/* ---- pipes and clocks ------------------------------------------------------------------- */

typedef struct writer {
    int fd;
    const char *bytes;
    size_t count;
} writer;

static void *write_pipe(void *context)
{
    writer *w = context;
    for (size_t done = 0; done < w->count;) {
        ssize_t put = write(w->fd, w->bytes + done, w->count - done);
        if (put <= 0) break;
        done += (size_t)put;
    }
    close(w->fd);
    return NULL;
}

static void a_pipe_is_read_like_a_file(void)
{
    size_t bytes, packed;
    naive_lts n = naive_random(3000, 20000, 40, NAIVE_PARTLY, 1);
    char *text = naive_aut_write(&n, NULL, &bytes);
    for (packed_kind kind = 0; kind < PACKED_KINDS; kind++)
        for (int threads = 1; threads <= 3; threads++) {
            int ends[2];
            char path[32], *form = packed_bytes(kind, text, bytes, &packed);
            mem m = MEM_INIT;
            err e = ERR_INIT;
            lts g;
            pthread_t thread;
            CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
            writer w = { ends[1], form, packed };
            CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, write_pipe, &w), 0);
            snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
            aut_way way = { .threads = threads, .block_bytes = threads == 2 ? 1000 : 0 };
            CU_ASSERT_EQUAL(aut_way_read(&g, &m, path, &way, &strict, &e), 0);
            CU_ASSERT_PTR_NULL(naive_difference(&n, &g));
            pthread_join(thread, NULL);
            close(ends[0]);
            lts_close(&g);
            CU_ASSERT_EQUAL(m.now, 0);
            free(form);
        }
    free(text);
    naive_close(&n);
}

static void the_deadline_ends_the_reading(void)
{
    size_t bytes;
    naive_lts n = naive_random(50, 500, 5, NAIVE_SORTED, 1);
    char *text = naive_aut_write(&n, NULL, &bytes);
    packed_file f = packed_file_open();
    for (packed_kind kind = 0; kind < PACKED_KINDS; kind++)
        for (size_t i = 0; i < COUNT_OF(thread_counts); i++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            lts g;
            progress clock;
            packed_file_pack(&f, kind, text, bytes);
            progress_open(&clock, PROGRESS_OFF, 1e-9);
            load_options o = {
                .m = &m, .threads = thread_counts[i], .block_bytes = 64, .clock = &clock
            };
            CU_ASSERT_EQUAL(aut_read(&g, f.path, &o, &e), ERR_LIMIT);
            CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "time limit"));
            CU_ASSERT_EQUAL(m.now, 0);
        }
    packed_file_close(&f);
    free(text);
    naive_close(&n);
}

CU_TestInfo test_aut_block[] = {
    { "the naive reader reads what was written",
      the_naive_reader_reads_what_was_written },
    { "random files in tiny blocks are what was written",
      random_files_in_tiny_blocks_are_what_was_written },
    { "the shortest lines fill their blocks", the_shortest_lines_fill_their_blocks },
    { "labels grow wider while blocks are placed",
      labels_grow_wider_while_blocks_are_placed },
    { "the first mistake is reported, whoever finds one",
      the_first_mistake_is_reported_whoever_finds_one },
    { "a pipe is read like a file", a_pipe_is_read_like_a_file },
    { "the deadline ends the reading", the_deadline_ends_the_reading },
    CU_TEST_INFO_NULL
};
