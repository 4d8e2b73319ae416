#include "lang/aut_range.h"

#include "tests/naive_aut.h"
#include "tests/packed_file.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const log_sink silent = { .level = LOG_QUIET };

/* All parts one after the other: the transitions, in the order of the file. */
static bool parts_are(const naive_lts *n, aut_range *r, uint32_t parts,
                      label_table *labels)
{
    err e = ERR_INIT;
    size_t at = 0, batches;
    bool fine = true;
    aut_range_tally sum = { 0 };
    for (uint32_t part = 0; part < parts; part++) {
        CU_ASSERT_EQUAL_FATAL(aut_range_begin(r, part, parts, &e), 0);
        while ((batches = aut_range_round(r, labels, &e)) > 0)
            for (size_t i = 0; i < batches; i++) {
                const label_id *rename;
                const lts_batch *b = aut_range_batch(r, i, &rename);
                for (size_t k = 0; k < b->edges.count && fine; k++, at++) {
                    const lts_edge *x = &b->edges.at[k];
                    fine = at < n->count && x->from == n->edges[at].from &&
                           x->to == n->edges[at].to &&
                           rename[x->label] == n->edges[at].label;
                }
            }
        sum.lines += aut_range_so_far(r).lines;
        sum.transitions += aut_range_so_far(r).transitions;
    }
    return fine && e.code == ERR_NONE && at == n->count && sum.transitions == n->count &&
           sum.lines >= n->count;
}

static void check_parts(const char *text, size_t bytes)
{
    static const naive_rules strict = { 0 };
    static const size_t blocks[] = { 0, 1, 50, 1000 };
    packed_file f = packed_file_open();
    naive_lts n;
    CU_ASSERT_EQUAL_FATAL(naive_aut_read(&n, text, bytes, &strict), 0);
    for (packed_kind kind = PACKED_PLAIN; kind <= PACKED_ZST; kind++)
        for (size_t i = 0; i < COUNT_OF(blocks); i++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            load_options o = {
                .m = &m, .threads = 1 + (int)i, .block_bytes = blocks[i], .log = &silent
            };
            aut_range *r;
            label_table *labels;
            label_table_open(&labels, &m, &e);
            packed_file_pack(&f, kind, text, bytes);
            CU_ASSERT_EQUAL_FATAL(aut_range_open(&r, f.path, &o, &e), 0);
            CU_ASSERT_EQUAL(aut_range_divides(r), kind == PACKED_PLAIN);
            CU_ASSERT(parts_are(&n, r, 1, labels));
            CU_ASSERT(parts_are(&n, r, 1, labels)); /* again */
            for (uint32_t parts = 2; kind == PACKED_PLAIN && parts < 200; parts *= 3)
                CU_ASSERT(parts_are(&n, r, parts, labels));
            label_table_close(labels);
            aut_range_close(r);
            CU_ASSERT_EQUAL(m.now, 0);
        }
    naive_close(&n);
    packed_file_close(&f);
}

static void parts_in_order_are_the_whole(void)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_stream r = random_open(seed, 0);
        size_t bytes;
        naive_lts n =
            naive_random(30, (size_t)random_below(&r, 400), 9, NAIVE_SHUFFLED, seed);
        char *text = naive_aut_write(&n, &r, &bytes);
        check_parts(text, bytes);
        free(text);
        naive_close(&n);
    }
    static const char empty[] = "\n\ndes (0,0,1)",
                      late[] = "des (0,1,2)\n\n\n\n\n\n(0,a,1)";
    check_parts(empty, sizeof empty - 1);
    check_parts(late, sizeof late - 1);
}

static void a_mistake_is_told_with_the_lines_before(void)
{
    static const char text[] = "\ndes (0,4,2)\n(0,a,1)\n(1,b,0)\n\n(1,b,7)\n(0,a,1)\n";
    packed_file f = packed_file_open();
    packed_file_set(&f, text, sizeof text - 1);
    for (uint32_t parts = 1; parts < 12; parts++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        aut_range *r;
        label_table *labels;
        uint64_t lines = 0;
        char wanted[100];
        load_options o = { .m = &m, .threads = 2, .block_bytes = 5, .log = &silent };
        label_table_open(&labels, &m, &e);
        CU_ASSERT_EQUAL_FATAL(aut_range_open(&r, f.path, &o, &e), 0);
        for (uint32_t part = 0; part < parts && e.code == ERR_NONE; part++) {
            CU_ASSERT_EQUAL_FATAL(aut_range_begin(r, part, parts, &e), 0);
            while (aut_range_round(r, labels, &e) > 0) continue;
            if (e.code == ERR_NONE) lines += aut_range_so_far(r).lines;
        }
        aut_range_locate(r, lines, &e);
        snprintf(wanted, sizeof wanted, "%s:6:6: ", f.path);
        CU_ASSERT_EQUAL(e.code, ERR_INPUT);
        CU_ASSERT_EQUAL(strncmp(e.text, wanted, strlen(wanted)), 0);
        label_table_close(labels);
        aut_range_close(r);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
}

CU_TestInfo test_aut_range[] = { { "parts in order are the whole",
                                   parts_in_order_are_the_whole },
                                 { "a mistake is told with the lines before",
                                   a_mistake_is_told_with_the_lines_before },
                                 CU_TEST_INFO_NULL };
