/*
 * unit.c - the runner of all unit suites.
 *
 *     unit               run every suite, bottom-up
 *     unit SUITE         run one
 *     unit SUITE CASE    run one case
 *     unit --list        name the suites
 *
 * A failure prints the case, file:line and the expression.  Exit status: 0 when something
 * ran and nothing failed, 1 when something failed, 2 when there was nothing to run.
 */
#include "core/ids.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

/* The table is generated from tests/CMakeLists.txt. */
#define UNIT_SUITE(stem) extern CU_TestInfo test_##stem[];
#include "unit_suites.def"
#undef UNIT_SUITE

#define UNIT_SUITE(stem) { .pName = #stem, .pTests = test_##stem },
static CU_SuiteInfo suites[] = {
#include "unit_suites.def"
    CU_SUITE_INFO_NULL
};
#undef UNIT_SUITE

static int list_suites(void)
{
    for (size_t i = 0; suites[i].pName; i++) puts(suites[i].pName);
    return 0;
}

static int nothing_to_run(const char *what, const char *name)
{
    fprintf(stderr, "unit: no %s '%s', or nothing in it; see unit --list\n", what, name);
    return 2;
}

static int run_suite(const char *name, const char *test_name)
{
    CU_pSuite suite = CU_get_suite(name);
    if (suite == NULL) return nothing_to_run("suite", name);
    if (test_name == NULL) {
        CU_basic_run_suite(suite);
        return CU_get_number_of_tests_run() > 0 ? 0 : nothing_to_run("suite", name);
    }
    CU_pTest test = CU_get_test(suite, test_name);
    if (test == NULL) return nothing_to_run("case", test_name);
    CU_basic_run_test(suite, test);
    return 0;
}

static int run_all(void)
{
    CU_basic_run_tests();
    for (CU_pSuite s = CU_get_registry()->pSuite; s; s = s->pNext)
        if (s->uiNumberOfTests == 0) return nothing_to_run("suite", s->pName);
    return CU_get_number_of_tests_run() > 0 ? 0 : nothing_to_run("suite", "");
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* what ran before a crash must be seen */
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list_suites();
    if (CU_initialize_registry() != CUE_SUCCESS ||
        CU_register_suites(suites) != CUE_SUCCESS) {
        fprintf(stderr, "unit: cannot register the suites: %s\n", CU_get_error_msg());
        return 2;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    int status = argc > 1 ? run_suite(argv[1], argc > 2 ? argv[2] : NULL) : run_all();
    if (CU_get_number_of_failures() > 0 || CU_get_number_of_suites_failed() > 0)
        status = 1;
    CU_cleanup_registry();
    return status;
}
