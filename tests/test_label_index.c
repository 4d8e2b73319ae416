/*
 * Many sets at once against each of them alone; names by the thousand; memory that fails.
 */
#include "core/ids.h"
#include "core/random.h"
#include "lang/label_index.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 6, LABELS = 30, TRIALS = 3000 };

static const char *const texts[] = { "A",  "a",    "B",   "A !1", "A !2", "b !x", "!1",
                                     ".*", "[Ab]", "A.*", "x",    "",     "B\\.", "B." };

static const char *one_of(random_stream *r)
{
    return texts[random_below(r, COUNT_OF(texts))];
}

/* ---- sets -------------------------------------------------------------------------------- */

static label_set *random_set(random_stream *r, mem *m)
{
    static const label_mode modes[] = { LABEL_TOTAL, LABEL_GATE, LABEL_PARTIAL };
    label_set *s;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(
        label_set_open(&s, m, modes[random_below(r, 3)], random_below(r, 2), &e), 0);
    for (uint64_t n = random_below(r, 4); n > 0; n--) {
        const char *text = one_of(r);
        CU_ASSERT_EQUAL_FATAL(
            label_set_add(s, text, strlen(text), random_below(r, 2), &e), 0);
    }
    return s;
}

static bool agree(label_set *const *set, const label_index *x, const char *label)
{
    bool hit[SETS] = { false };
    label_index_find(x, label, strlen(label), hit);
    for (size_t i = 0; i < SETS; i++)
        if ((hit[i] != label_set_all_but(set[i])) !=
            label_set_has(set[i], label, strlen(label)))
            return false;
    return true;
}

static void sets_together_say_what_each_says(void)
{
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *set[SETS];
        label_index *x;
        random_stream r = random_open(seed, 0);
        CU_ASSERT_EQUAL_FATAL(label_index_open(&x, &m, &e), 0);
        for (size_t i = 0; i < SETS; i++) {
            set[i] = random_set(&r, &m);
            CU_ASSERT_EQUAL_FATAL(label_index_add_set(x, set[i], i, 0, &e), 0);
        }
        for (size_t k = 0; k < LABELS; k++) {
            char label[32];
            snprintf(label, sizeof label, "%s%s", one_of(&r), one_of(&r));
            if (agree(set, x, label)) continue;
            printf("\nseed %llu, label %s\n", (unsigned long long)seed, label);
            CU_FAIL_FATAL("sets together do not say what each says");
        }
        label_index_close(x);
        for (size_t i = 0; i < SETS; i++) label_set_close(set[i]);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

/* ---- each pattern ------------------------------------------------------------------------ */

static void patterns_have_numbers(void)
{
    static const char *const from[] = { "A", "[12]", "C", "A", "!" };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_map *s;
    label_index *x;
    bool hit[5] = { false };
    CU_ASSERT_EQUAL_FATAL(label_map_open(&s, &m, LABEL_SINGLE, &e), 0);
    for (size_t i = 0; i < COUNT_OF(from); i++)
        CU_ASSERT_EQUAL_FATAL(
            label_map_add(s, from[i], strlen(from[i]), "x", 1, false, &e), 0);
    CU_ASSERT_EQUAL_FATAL(label_index_open(&x, &m, &e), 0);
    CU_ASSERT_EQUAL_FATAL(label_index_add_map(x, s, 0, 1, &e), 0);
    CU_ASSERT_EQUAL(label_index_tried(x), 5);
    label_index_find(x, "A 1", 3, hit);
    CU_ASSERT(hit[0] && hit[1] && !hit[2] && hit[3] && !hit[4]);
    label_index_find(x, "C", 1, hit); /* and the others stay */
    CU_ASSERT(hit[0] && hit[1] && hit[2] && hit[3] && !hit[4]);
    label_index_close(x);
    label_map_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Sets of one name each; each name is in two of them. */
static int fill(label_index *x, label_set **set, size_t count, mem *m, err *e)
{
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "N%zu", i / 2);
        if (label_set_open(&set[i], m, LABEL_GATE, false, e) != 0 ||
            label_set_add(set[i], name, strlen(name), true, e) != 0 ||
            label_index_add_set(x, set[i], i, 0, e) != 0)
            return (int)e->code;
    }
    return 0;
}

static void thousands_of_names_are_looked_up(void)
{
    enum { MANY = 4000 };
    static label_set *set[MANY];
    static bool hit[MANY];
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_index *x;
    CU_ASSERT_EQUAL_FATAL(label_index_open(&x, &m, &e), 0);
    CU_ASSERT_EQUAL_FATAL(fill(x, set, MANY, &m, &e), 0);
    CU_ASSERT_EQUAL(label_index_tried(x), 0);
    for (size_t k = 0; k < MANY; k += 2) {
        char label[40];
        snprintf(label, sizeof label, "n%zu !1", k / 2);
        label_index_find(x, label, strlen(label), hit);
        CU_ASSERT(hit[k] && hit[k + 1]);
        CU_ASSERT_EQUAL(memchr(hit + k + 2, true, MANY - k - 2), NULL);
    }
    label_index_close(x);
    for (size_t i = 0; i < MANY; i++) label_set_close(set[i]);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void every_failing_allocation_leaves_nothing(void)
{
    for (size_t n = 1, more = 1; more; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *set[40] = { NULL };
        label_index *x = NULL;
        m.fail_at = n;
        int code = label_index_open(&x, &m, &e);
        if (code == 0) code = fill(x, set, COUNT_OF(set), &m, &e);
        more = m.calls >= n;
        CU_ASSERT_EQUAL(code, more ? ERR_LIMIT : 0);
        label_index_close(x);
        for (size_t i = 0; i < COUNT_OF(set); i++) label_set_close(set[i]);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_label_index[] = {
    { "sets together say what each says", sets_together_say_what_each_says },
    { "patterns have numbers", patterns_have_numbers },
    { "thousands of names are looked up", thousands_of_names_are_looked_up },
    { "every failing allocation leaves nothing",
      every_failing_allocation_leaves_nothing },
    CU_TEST_INFO_NULL
};
