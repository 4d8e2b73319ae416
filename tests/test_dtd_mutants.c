/*
 * Detectors with one mistake each (dtd_mutants.cmake): the worlds of test_dtd must find them all, and
 * so show that they can.
 */
#include "tests/dtd_tiny.h"
#include "tests/dtd_world.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#ifdef BESPOKE_TEST_CHAIN /* all is slow */
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif
enum { SCHEDULES = 30000, STATES = 400000 };

#define DTD_MUTANT(id) extern const dtd_class id;
#include "dtd_mutants.def"
#undef DTD_MUTANT

#define DTD_MUTANT(id) { #id, &id },
static const struct {
    const char *name;
    const dtd_class *c;
} mutants[] = {
#include "dtd_mutants.def"
};
#undef DTD_MUTANT

/* The first schedule that finds it, or 0. */
static uint64_t find_by_chance(dtd_world *w, const dtd_class *c, const char **wrong)
{
    dtd_tally tally = { 0 };
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        dtd_shape s = dtd_world_shape(seed);
        if (s.workers < 2) continue;
        s.exact = strcmp(c->name, "ring") == 0 && !s.requests;
        *wrong = dtd_world_run(w, c, &s, &tally);
        if (*wrong) return seed;
    }
    return 0;
}

/* The first script that finds it, or NULL. */
static const char *find_exhaustively(const dtd_class *c, const char **wrong)
{
    size_t count, states;
    const dtd_tiny_script *scripts = dtd_tiny_scripts(&count);
    for (size_t i = 0; i < count; i++) {
        *wrong = dtd_tiny_explore(&scripts[i], c, STATES, &states);
        if (*wrong) return scripts[i].name;
    }
    return NULL;
}

/* Both ways, so that one sees what chance does not find; where all is slow one will do. */
static bool find(dtd_world *w, const char *name, const dtd_class *c)
{
    const char *wrong = NULL, *script = NULL;
    uint64_t seed = find_by_chance(w, c, &wrong);
    printf("\n    %-36s ", name);
    if (seed) printf("schedule %llu: %s; ", (unsigned long long)seed, wrong);
    else printf("no schedule of %d; ", SCHEDULES);
    if (SLOW && seed) return true;
    script = find_exhaustively(c, &wrong);
    if (script) printf("'%s': %s", script, wrong);
    else printf("no script");
    return seed != 0 || script != NULL;
}

static void every_mistake_is_found(void)
{
    dtd_world *w = dtd_world_open();
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    for (size_t i = 0; i < COUNT_OF(mutants); i++)
        CU_ASSERT(find(w, mutants[i].name, mutants[i].c));
    dtd_world_close(w);
}

CU_TestInfo test_dtd_mutants[] = {
    { "every mistake is found", every_mistake_is_found },
    CU_TEST_INFO_NULL,
};
