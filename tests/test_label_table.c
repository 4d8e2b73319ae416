#include "core/label_table.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static label_id put(label_table *t, const char *text)
{
    err e = ERR_INIT;
    label_id id = LABEL_NONE;
    CU_ASSERT_EQUAL(label_table_put(t, text, strlen(text), &id, &e), 0);
    return id;
}

static label_id find(const label_table *t, const char *text)
{
    return label_table_find(t, text, strlen(text));
}

static label_table *fresh(mem *m)
{
    err e = ERR_INIT;
    label_table *t = NULL;
    CU_ASSERT_EQUAL_FATAL(label_table_open(&t, m, &e), 0);
    return t;
}

static void closed(label_table *t, mem *m)
{
    label_table_close(t);
    CU_ASSERT_EQUAL(m->now, 0);
}

static void numbers_are_dense_in_order_of_first_use(void)
{
    mem m = MEM_INIT;
    label_table *t = fresh(&m);
    CU_ASSERT_EQUAL(label_table_count(t), 0);
    CU_ASSERT_EQUAL(put(t, "SEND !1"), 0);
    CU_ASSERT_EQUAL(put(t, "RECV"), 1);
    CU_ASSERT_EQUAL(put(t, "SEND !1"), 0);
    CU_ASSERT_EQUAL(put(t, "SEND !2"), 2);
    CU_ASSERT_EQUAL(label_table_count(t), 3);
    CU_ASSERT_EQUAL(find(t, "RECV"), 1);
    CU_ASSERT_EQUAL(find(t, "SEND !3"), LABEL_NONE);
    CU_ASSERT_EQUAL(label_table_count(t), 3); /* looking enters nothing */
    closed(t, &m);
}

/* Labels are bytes: empty, prefixes of each other, quotes, NUL and high bytes inside. */
static void any_bytes_are_a_label(void)
{
    static const struct {
        const char *text;
        size_t bytes;
    } rows[] = { { "", 0 },     { "a", 1 },        { "ab", 2 },    { "a\0b", 3 },
                 { "a\0c", 3 }, { "\xff\xfe", 2 }, { "\"q\"", 3 }, { "ii", 2 },
                 { "I", 1 },    { "i ", 2 },       { "\0", 1 } };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_table *t = fresh(&m);
    size_t n = COUNT_OF(rows), bytes;
    label_id id;
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(label_table_put(t, rows[i].text, rows[i].bytes, &id, &e), 0);
        CU_ASSERT_EQUAL(id, i);
    }
    for (label_id i = 0; i < n; i++) {
        const char *text = label_table_text(t, i, &bytes);
        CU_ASSERT_EQUAL(bytes, rows[i].bytes);
        CU_ASSERT_EQUAL(memcmp(text, rows[i].text, bytes + 1), 0); /* and the NUL */
        CU_ASSERT_EQUAL(label_table_find(t, rows[i].text, rows[i].bytes), i);
    }
    CU_ASSERT_EQUAL(label_table_hidden(t), LABEL_NONE); /* none of them is `i` */
    closed(t, &m);
}

static void many_labels_keep_their_numbers_and_texts(void)
{
    enum { MANY = 200000 };
    mem m = MEM_INIT;
    label_table *t = fresh(&m);
    char text[32];
    label_id wrong = 0;
    for (label_id i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "label !%u", i * 7919u);
        wrong += put(t, text) != i;
    }
    for (label_id i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "label !%u", i * 7919u);
        wrong += find(t, text) != i;
        wrong += strcmp(label_table_text(t, i, NULL), text) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(label_table_count(t), MANY);
    closed(t, &m);
}

static void a_label_may_be_megabytes_long(void)
{
    enum { LONG = 3 << 20 };
    mem m = MEM_INIT;
    label_table *t = fresh(&m);
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    CU_ASSERT_EQUAL(put(t, text), 0);
    text[LONG - 1] = 'y';
    CU_ASSERT_EQUAL(put(t, text), 1);
    CU_ASSERT_EQUAL(find(t, text), 1);
    size_t bytes;
    label_table_text(t, 0, &bytes);
    CU_ASSERT_EQUAL(bytes, LONG);
    free(text);
    closed(t, &m);
}

static void i_is_hidden_without_being_asked(void)
{
    mem m = MEM_INIT;
    label_table *t = fresh(&m);
    CU_ASSERT_EQUAL(label_table_hidden(t), LABEL_NONE);
    put(t, "a");
    CU_ASSERT_EQUAL(put(t, "i"), 1);
    CU_ASSERT_EQUAL(label_table_hidden(t), 1);
    CU_ASSERT_EQUAL(put(t, "tau"), 2); /* not hidden unless asked */
    closed(t, &m);
}

static void all_hidden_names_are_one_label_written_i(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_table *t = fresh(&m);
    CU_ASSERT_EQUAL(label_table_hide(t, "tau", &e), 0);
    CU_ASSERT_EQUAL(label_table_hide(t, "silent step", &e), 0);
    put(t, "a");
    CU_ASSERT_EQUAL(find(t, "tau"), LABEL_NONE); /* not put yet */
    CU_ASSERT_FALSE(label_table_met(t, "tau"));
    CU_ASSERT_EQUAL(put(t, "tau"), 1);
    CU_ASSERT_EQUAL(find(t, "silent step"), 1);
    CU_ASSERT_TRUE(label_table_met(t, "tau"));
    CU_ASSERT_FALSE(label_table_met(t, "silent step")); /* nor does finding count */
    CU_ASSERT_FALSE(label_table_met(t, "a"));           /* no hidden name */
    CU_ASSERT_EQUAL(put(t, "silent step"), 1);
    CU_ASSERT_EQUAL(put(t, "i"), 1);
    CU_ASSERT_EQUAL(find(t, "silent step"), 1);
    CU_ASSERT_EQUAL(put(t, "ta"), 2);
    CU_ASSERT_EQUAL(put(t, "tau "), 3);
    CU_ASSERT_EQUAL(label_table_hidden(t), 1);
    CU_ASSERT_STRING_EQUAL(label_table_text(t, 1, NULL), "i");
    CU_ASSERT_EQUAL(label_table_count(t), 4);
    closed(t, &m);
}

static void the_width_is_the_smallest_that_holds_every_label(void)
{
    static const struct {
        label_id count;
        unsigned width;
    } rows[] = { { 0, 1 },     { 1, 1 },     { 255, 1 },   { 256, 1 },       { 257, 2 },
                 { 65535, 2 }, { 65536, 2 }, { 65537, 4 }, { LABELS_MAX, 4 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CU_ASSERT_EQUAL(label_table_width(rows[i].count), rows[i].width);
}

/* A life of a table; how far it gets depends on the allocation that fails. */
static int life(mem *m, err *e)
{
    label_table *t = NULL;
    int rc = label_table_open(&t, m, e);
    if (rc == 0) rc = label_table_hide(t, "tau", e);
    for (unsigned i = 0; rc == 0 && i < 500; i++) {
        char text[32];
        label_id id, count = label_table_count(t);
        snprintf(text, sizeof text, "label %u", i);
        rc = label_table_put(t, text, strlen(text), &id, e);
        /* What failed is not there, what was there still is. */
        if (rc != 0) CU_ASSERT_EQUAL(find(t, text), LABEL_NONE);
        if (rc != 0) CU_ASSERT_EQUAL(label_table_count(t), count);
        if (i > 0) CU_ASSERT_EQUAL(find(t, "label 0"), 0);
    }
    label_table_close(t);
    return rc;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void)
{
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = n;
        int rc = life(&m, &e);
        CU_ASSERT_EQUAL(m.now, 0);
        CU_ASSERT_EQUAL(rc, (int)e.code);
        if (m.calls < n) { /* nothing was left to fail */
            CU_ASSERT_EQUAL(rc, 0);
            CU_ASSERT(n > 10);
            return;
        }
        CU_ASSERT_EQUAL(rc, ERR_LIMIT);
    }
}

static void a_put_that_failed_can_be_tried_again(void)
{
    mem m = MEM_INIT;
    label_table *t = fresh(&m);
    for (unsigned i = 0; i < 300; i++) {
        char text[32];
        label_id id;
        err e = ERR_INIT;
        snprintf(text, sizeof text, "label %u", i);
        m.fail_at = m.calls + 1;
        if (label_table_put(t, text, strlen(text), &id, &e) != 0) e = ERR_INIT;
        m.fail_at = 0;
        CU_ASSERT_EQUAL(label_table_put(t, text, strlen(text), &id, &e), 0);
        CU_ASSERT_EQUAL(id, i);
    }
    closed(t, &m);
}

static void close_accepts_null(void) { label_table_close(NULL); }

CU_TestInfo test_label_table[] = {
    { "numbers are dense in order of first use",
      numbers_are_dense_in_order_of_first_use },
    { "any bytes are a label", any_bytes_are_a_label },
    { "many labels keep their numbers and texts",
      many_labels_keep_their_numbers_and_texts },
    { "a label may be megabytes long", a_label_may_be_megabytes_long },
    { "i is hidden without being asked", i_is_hidden_without_being_asked },
    { "all hidden names are one label written i",
      all_hidden_names_are_one_label_written_i },
    { "the width is the smallest that holds every label",
      the_width_is_the_smallest_that_holds_every_label },
    { "every failing allocation is reported and leaks nothing",
      every_failing_allocation_is_reported_and_leaks_nothing },
    { "a put that failed can be tried again", a_put_that_failed_can_be_tried_again },
    { "close accepts NULL", close_accepts_null },
    CU_TEST_INFO_NULL
};
