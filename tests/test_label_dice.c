#include "vlts_bench/label_dice.h"

#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

static void open_dice(label_dice *d, mem *m, uint32_t labels, uint64_t transitions)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(label_dice_open(d, m, labels, transitions, &e), 0);
}

static void close_dice(label_dice *d, mem *m)
{
    label_dice_close(d);
    CU_ASSERT_EQUAL(m->now, 0);
}

/* In order, once, and within the transitions there are. */
static void every_label_falls_due_once(void)
{
    static const uint64_t rows[][2] = { { 1, 1 },      { 1, 9 },       { 2, 2 },
                                        { 5, 7 },      { 19, 1000 },   { 25216, 25216 },
                                        { 511, 1830 }, { 300, 100000 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        label_dice d;
        open_dice(&d, &m, (uint32_t)rows[i][0], rows[i][1]);
        uint32_t next = 0;
        for (uint64_t t = 0; t < rows[i][1]; t++) {
            uint32_t due = label_dice_due(&d);
            if (due == LABEL_DICE_NONE) continue;
            CU_ASSERT_EQUAL(due, next);
            next++;
        }
        CU_ASSERT_EQUAL(next, rows[i][0]);
        close_dice(&d, &m);
    }
}

static void with_twice_the_transitions_no_two_in_a_row_are_due(void)
{
    mem m = MEM_INIT;
    label_dice d;
    open_dice(&d, &m, 100, 200);
    bool before = false;
    for (int t = 0; t < 200; t++) {
        bool due = label_dice_due(&d) != LABEL_DICE_NONE;
        CU_ASSERT(!(due && before));
        before = due;
    }
    close_dice(&d, &m);
}

static void low_labels_are_thrown_more_often_and_the_mark_never(void)
{
    mem m = MEM_INIT;
    label_dice d;
    random_stream chance = random_open(1, 1);
    unsigned *count = calloc(20, sizeof *count);
    open_dice(&d, &m, 20, 1000);
    for (int i = 0; i < 200000; i++) count[label_dice_throw(&d, &chance)]++;
    CU_ASSERT_EQUAL(count[19], 0);
    CU_ASSERT(count[0] > count[5] && count[5] > count[18] && count[18] > 1000);
    free(count);
    close_dice(&d, &m);
}

static void a_single_label_is_thrown(void)
{
    mem m = MEM_INIT;
    label_dice d;
    random_stream chance = random_open(1, 1);
    open_dice(&d, &m, 1, 10);
    CU_ASSERT_EQUAL(label_dice_throw(&d, &chance), 0);
    CU_ASSERT_EQUAL(label_dice_throw_new(&d, &chance), 0);
    close_dice(&d, &m);
}

/* All of them, each once, the mark last: 64 and its neighbours are word boundaries. */
static void new_labels_are_new_until_none_is_left(void)
{
    static const uint32_t counts[] = { 2, 3, 63, 64, 65, 128, 211 };
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        mem m = MEM_INIT;
        label_dice d;
        random_stream chance = random_open(9, i);
        bool *had = calloc(counts[i], sizeof *had);
        open_dice(&d, &m, counts[i], 1000);
        for (uint32_t n = 0; n < counts[i]; n++) {
            uint32_t label = label_dice_throw_new(&d, &chance);
            CU_ASSERT_FATAL(label < counts[i] && !had[label]);
            CU_ASSERT_EQUAL(label == counts[i] - 1, n == counts[i] - 1);
            had[label] = true;
            label_dice_take(&d, label);
        }
        for (uint32_t n = 0; n < counts[i]; n++) label_dice_give_back(&d, n);
        CU_ASSERT(label_dice_throw_new(&d, &chance) < counts[i]);
        free(had);
        close_dice(&d, &m);
    }
}

static void refused_memory_leaves_nothing_behind(void)
{
    for (size_t n = 1; n <= 2; n++) {
        mem m = MEM_INIT;
        m.fail_at = n;
        err e = ERR_INIT;
        label_dice d;
        CU_ASSERT_EQUAL(label_dice_open(&d, &m, 7, 100, &e), ERR_LIMIT);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_label_dice[] = {
    { "every label falls due once", every_label_falls_due_once },
    { "with twice the transitions no two in a row are due",
      with_twice_the_transitions_no_two_in_a_row_are_due },
    { "low labels are thrown more often and the mark never",
      low_labels_are_thrown_more_often_and_the_mark_never },
    { "a single label is thrown", a_single_label_is_thrown },
    { "new labels are new until none is left", new_labels_are_new_until_none_is_left },
    { "refused memory leaves nothing behind", refused_memory_leaves_nothing_behind },
    CU_TEST_INFO_NULL
};
