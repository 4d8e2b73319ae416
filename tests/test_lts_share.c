#include "models/lts_share.h"

#include "models/lts_file.h"
#include "tests/packed_file.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"
#include "tests/share_difference.h"

#include <CUnit/CUnit.h>
#include <string.h>

/* Of several ranks: test_lts_share_mpi.c. */

static void one_rank_has_the_whole(void)
{
    static const char *const names[] = { "x.aut", "x.aut.gz", "x.plts" };
    scratch dir = scratch_open();
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 3000, 9000, 300, 1);
    const log_sink silent = { .level = LOG_QUIET };
    load_options load = { .m = &m, .threads = 2, .log = &silent };
    for (size_t i = 0; i < COUNT_OF(names) * DISTRIBUTION_KIND_COUNT; i++) {
        err e = ERR_INIT;
        lts_share s;
        lts whole;
        const char *path = scratch_path(&dir, names[i % COUNT_OF(names)]);
        lts_share_options o = { .load = &load,
                                .kind = (distribution_kind)(i / COUNT_OF(names)),
                                .threads = 1 + (uint32_t)i % 4 };
        CU_ASSERT_EQUAL_FATAL(lts_file_write(&g, path, LTS_FILE_KEEP, NULL, &e), 0);
        CU_ASSERT_EQUAL_FATAL(lts_file_read(&whole, path, &load, &e), 0);
        CU_ASSERT_EQUAL_FATAL(lts_share_open(&s, path, &o, &e), 0);
        CU_ASSERT_PTR_NULL(share_difference(&s, &whole, 0, 1));
        CU_ASSERT(sample_equal(&s.rows, &whole));
        CU_ASSERT_EQUAL(s.rows.map != NULL, whole.map != NULL); /* nothing is copied */
        lts_share_close(&s);
        lts_close(&whole);
    }
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

static void a_failure_leaves_nothing(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts_share s;
    load_options load = { .m = &m };
    lts_share_options o = { .load = &load };
    CU_ASSERT_EQUAL(lts_share_open(&s, "/nowhere/x.aut", &o, &e), ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "/nowhere/x.aut"));
    CU_ASSERT_PTR_NULL(s.rows.first);
    lts_share_close(&s);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_lts_share[] = { { "one rank has the whole", one_rank_has_the_whole },
                                 { "a failure leaves nothing", a_failure_leaves_nothing },
                                 CU_TEST_INFO_NULL };
