#include "vlts_bench/manifest.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static void every_row_is_found_by_its_name(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        CU_ASSERT_PTR_EQUAL(manifest_find(manifest[i].name), &manifest[i]);
    CU_ASSERT_PTR_NULL(manifest_find(""));
    CU_ASSERT_PTR_NULL(manifest_find("vasy_0_2"));
    CU_ASSERT_PTR_NULL(manifest_find("vasy_0_1 "));
}

/* Names say thousands of states and of transitions, rounded down. */
static void names_agree_with_the_numbers(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++) {
        unsigned states, transitions;
        char who[8];
        CU_ASSERT_EQUAL_FATAL(
            sscanf(manifest[i].name, "%7[a-z]_%u_%u", who, &states, &transitions), 3);
        CU_ASSERT(strcmp(who, "cwi") == 0 || strcmp(who, "vasy") == 0);
        CU_ASSERT_EQUAL(manifest[i].facts.states / 1000, states);
        CU_ASSERT_EQUAL(manifest[i].facts.transitions / 1000, transitions);
    }
}

static void rows_do_not_contradict_themselves(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++) {
        const manifest_facts *f = &manifest[i].facts;
        CU_ASSERT_EQUAL(f->deadlock, f->branching_min == 0);
        CU_ASSERT(f->tau_transitions <= f->transitions);
        CU_ASSERT(!f->livelock || f->tau_transitions > 0);
        CU_ASSERT(f->branching_min * f->states <= f->transitions);
        CU_ASSERT(f->branching_max * f->states >= f->transitions);
        CU_ASSERT(!f->deterministic || f->branching_max <= f->labels);
    }
}

static void differences_are_counted_and_named(void)
{
    manifest_facts a = manifest[0].facts, b = a;
    char names[MANIFEST_DIFFERENCES_BYTES];
    CU_ASSERT_EQUAL(manifest_compare(&a, &b, names), 0);
    CU_ASSERT_STRING_EQUAL(names, "");
    b.states++;
    b.deterministic = !b.deterministic;
    CU_ASSERT_EQUAL(manifest_compare(&a, &b, names), 2);
    CU_ASSERT_STRING_EQUAL(names, "states deterministic");
}

static void all_columns_together_fit_into_the_text(void)
{
    manifest_facts a = { 1, 2, 3, 4, 5, 6, true, true, true }, b = { 0 };
    char names[MANIFEST_DIFFERENCES_BYTES];
    CU_ASSERT_EQUAL(manifest_compare(&a, &b, names), 9);
    CU_ASSERT_STRING_EQUAL(names,
                           "states transitions tau_transitions labels branching_min "
                           "branching_max deadlock livelock deterministic");
}

CU_TestInfo test_manifest[] = {
    { "every row is found by its name", every_row_is_found_by_its_name },
    { "names agree with the numbers", names_agree_with_the_numbers },
    { "rows do not contradict themselves", rows_do_not_contradict_themselves },
    { "differences are counted and named", differences_are_counted_and_named },
    { "all columns together fit into the text", all_columns_together_fit_into_the_text },
    CU_TEST_INFO_NULL
};
