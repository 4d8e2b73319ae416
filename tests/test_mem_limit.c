#include "core/mem_limit.h"

#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const variables[] = { "SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU",
                                         "SLURM_CPUS_ON_NODE" };

/* With these three set or, where NULL, unset; afterwards none is set. */
static size_t limit_with(const char *node, const char *cpu, const char *cpus)
{
    const char *const values[] = { node, cpu, cpus };
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        if (values[i]) setenv(variables[i], values[i], 1);
        else unsetenv(variables[i]);
    size_t found = mem_limit_find();
    for (size_t i = 0; i < COUNT_OF(variables); i++) unsetenv(variables[i]);
    return found;
}

static void the_machine_is_a_limit(void)
{
    size_t found = limit_with(NULL, NULL, NULL);
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    CU_ASSERT(found > 0);
    CU_ASSERT(found <= machine);
}

static void a_slurm_job_is_a_limit(void)
{
    static const struct {
        const char *node, *cpu, *cpus;
        size_t megabytes;
    } rows[] = {
        { "7", NULL, NULL, 7 }, { NULL, "3", NULL, 3 }, { NULL, "3", "2", 6 },
        { "5", "3", "2", 5 },   { "9", "3", "2", 6 },   { "0", "3", "1", 3 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CU_ASSERT_EQUAL(limit_with(rows[i].node, rows[i].cpu, rows[i].cpus),
                        rows[i].megabytes << 20);
}

static void what_slurm_leaves_open_is_no_limit(void)
{
    size_t without = limit_with(NULL, NULL, NULL);
    CU_ASSERT_EQUAL(limit_with("0", NULL, NULL), without);
    CU_ASSERT_EQUAL(limit_with("", "0", "4"), without);
    CU_ASSERT_EQUAL(limit_with(NULL, NULL, "4"), without);
    CU_ASSERT_EQUAL(limit_with("1000000000", NULL, NULL),
                    without); /* more than there is */
}

CU_TestInfo test_mem_limit[] = { { "the machine is a limit", the_machine_is_a_limit },
                                 { "a Slurm job is a limit", a_slurm_job_is_a_limit },
                                 { "what Slurm leaves open is no limit",
                                   what_slurm_leaves_open_is_no_limit },
                                 CU_TEST_INFO_NULL };
