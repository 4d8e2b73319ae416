/*
 * MB-DSOLVE with one mistake each (mb_mutants.cmake): the small cases in all interleavings must find
 * them all, and so show that they can.
 */
#include "tests/mb_tiny.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB_MUTANT(id) extern const mb_family id;
#include "mb_mutants.def"
#undef MB_MUTANT

#define MB_MUTANT(id) &id,
static const mb_family *const mutants[] = {
#include "mb_mutants.def"
};
#undef MB_MUTANT

typedef struct finding {
    const mb_tiny_case *c;
    mb_tiny_options o;
    mb_tiny_result r;
    const char *wrong;
} finding;

static bool finds(finding *f, const mb_family *mutant)
{
    f->wrong = mb_tiny_explore(f->c, &f->o, mutant, &f->r);
    return f->wrong && strcmp(f->wrong, "too many states") != 0;
}

enum { ALL = 4 * MB_TINY_MODES };

/* The first case and options that find it. */
static bool find(finding *f, const mb_family *mutant, const char *detector, size_t most,
                 unsigned options)
{
    size_t count;
    const mb_tiny_case *cases = mb_tiny_cases(&count);
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; n < options; n++) {
            f->c = &cases[i];
            f->o = (mb_tiny_options){ .mode = (mb_tiny_mode)(n % MB_TINY_MODES),
                                      .policy = (mb_policy)(n / MB_TINY_MODES % 2),
                                      .room = n / MB_TINY_MODES / 2,
                                      .detector = detector,
                                      .slice = 1,
                                      .most = most };
            if (finds(f, mutant)) return true;
        }
    return false;
}

/* Few states first: most mistakes show soon. */
static bool look(const mb_family *mutant)
{
    finding f;
    bool found = find(&f, mutant, "four-counter", 300, ALL) ||
                 find(&f, mutant, "ring", 2000, 1) ||
                 find(&f, mutant, "four-counter", 12000, ALL);
    if (found)
        printf("case %s, %s, %s, %s, room %u, state %zu: %s", f.c->name,
               mb_tiny_mode_name(f.o.mode), f.o.policy == MB_BATCH ? "batch" : "eager",
               f.o.detector, f.o.room, f.r.states, f.wrong);
    fflush(stdout);
    return found;
}

enum { FOUND = 10, NOT_FOUND };

/* In a process of its own: a mistake may also show by a crash. */
static bool is_found(const mb_family *mutant)
{
    int status = 0;
    printf("\n    %-40s ", mutant->name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(look(mutant) ? FOUND : NOT_FOUND);
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    bool crashed = !WIFEXITED(status) ||
                   (WEXITSTATUS(status) != FOUND && WEXITSTATUS(status) != NOT_FOUND);
    bool found = crashed || WEXITSTATUS(status) == FOUND;
    if (!found) printf("NOT FOUND");
    if (crashed) printf("a crash");
    return found;
}

static void every_mistake_is_found(void)
{
    for (size_t i = 0; i < COUNT_OF(mutants); i++) CU_ASSERT(is_found(mutants[i]));
}

CU_TestInfo test_mb_mutants[] = {
    { "every mistake is found", every_mistake_is_found },
    CU_TEST_INFO_NULL,
};
