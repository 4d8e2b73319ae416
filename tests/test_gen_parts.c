/*
 * test_gen_parts.c - a network is written whole or not at all, whatever allocation fails.
 * What the families model is tested from outside, by tests/cli/families.py.
 */
#include "core/ids.h"
#include "tests/scratch.h"
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"
#include "tools/gen_vlts.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const option_spec output_specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0, "as in cmd_gen.c" },
    { 0 },
};
static const option_group output_group = { "Generating", output_specs };
static const option_group *const groups[] = { &output_group, &gen_vlts_options,
                                              &gen_parts_options, &options_json, NULL };

static const gen_family *const networks[] = { &gen_philosophers, &gen_abp,
                                              &gen_brp,          &gen_election,
                                              &gen_cycles,       &gen_peterson,
                                              &gen_fifo };

/* Run a family with -o `out`; memory of the command line itself is not on the account. */
static int generate(const gen_family *f, char *out, size_t fail_at, err *e)
{
    mem own = MEM_INIT;
    arena line = ARENA_INIT(&own, 4096);
    tool t = { .m = { .fail_at = fail_at }, .operands = 1 };
    char *argv[] = { (char[]){ "gen" }, (char[]){ "-o" }, out, NULL };
    t.scratch = ARENA_INIT(&t.m, 4096);
    t.log.level = LOG_QUIET;
    CU_ASSERT_EQUAL_FATAL(options_parse(&t.opts, &line, groups, 3, argv, e), 0);
    int code = f->run(&t, e);
    arena_release(&t.scratch);
    arena_release(&line);
    CU_ASSERT_EQUAL(t.m.now, 0);
    return code;
}

static void any_allocation_may_fail(void)
{
    for (size_t i = 0; i < COUNT_OF(networks); i++) {
        scratch s = scratch_open();
        char out[sizeof s.path[0]];
        size_t n = 0;
        snprintf(out, sizeof out, "%s", scratch_path(&s, "net.exp"));
        for (int code = ERR_LIMIT; code != 0 && n < 100000;) {
            err e = ERR_INIT;
            code = generate(networks[i], out, ++n, &e);
            CU_ASSERT(code == 0 || code == ERR_LIMIT);
            CU_ASSERT_EQUAL(access(out, F_OK) == 0, code == 0);
        }
        CU_ASSERT(n > 10);
        scratch_close(&s);
    }
}

CU_TestInfo test_gen_parts[] = {
    { "any allocation may fail, and then there is no network", any_allocation_may_fail },
    CU_TEST_INFO_NULL,
};
